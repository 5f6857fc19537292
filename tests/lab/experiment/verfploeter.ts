/**
 * Catchments by the method of Verfploeter (IMC 2017), without anything of ours: one ping to each target from one site,
 * and tcpdump at every site, which notes who gets the answer.
 */
import { run } from "../namespaces.ts";
import { sites, source, targets } from "./plan.ts";
import type { WorldNet } from "./world-net.ts";

/** tcpdump writes what it has got each time. */
const answers = [
  "tcpdump",
  "-n",
  "-l",
  "-U",
  "-i",
  "tailscale0",
  `icmp6 and ip6[40] == 129 and dst ${source}`,
];
const settleMs = 500;

/** By target: the site that its answer came to; none where no answer came. */
export async function pingCatchments(net: WorldNet): Promise<Map<string, string | null>> {
  const heard = new Map<string, string | null>();
  const listeners = sites.map(({ node }) => {
    const child = Bun.spawn(net.at(node, answers), { stdout: "pipe", stderr: "pipe" });
    return { node, child, ready: firstChunk(child.stderr), said: new Response(child.stdout).text() };
  });
  await Promise.all(listeners.map(({ ready }) => ready));
  const ping = (target: string) => ["ping", "-6", "-q", "-c", "1", "-W", "1", "-I", source, target];
  // Answers that come to the other site are lost to ping.
  await Promise.all(targets.map((target) => run(net.at(sites[0].node, ping(target))).catch(() => undefined)));
  await Bun.sleep(settleMs);
  for (const { node, child, said } of listeners) {
    child.kill("SIGINT");
    for (const [, target = ""] of (await said).matchAll(/IP6 (\S+) > \S+: ICMP6, echo reply/g)) {
      heard.set(target, node);
    }
  }
  return heard;
}

/** It says that it listens. */
async function firstChunk(stream: ReadableStream<Uint8Array>): Promise<void> {
  await stream.getReader().read();
}
