/**
 * Everything between a file of probe lines and the wire: `bun lines.ts packet|xdp FILE PACKETS`, inside the
 * bench's namespace.
 *
 * `vantage client` checks the lines and puts them into an embedded broker while `vantage agent` takes them from there
 * and sends, with no limit of rate. Says `{"elapsedMs","client","agent"}`: from the start of the client to when all
 * are sent, and what each of the two processes used, `{"cpuSec","peakMb"}`. Packets are counted at the interface:
 * asking the agent a hundred times a second would add work that is not part of the path.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { AgentRig } from "../../lab/agent-rig.ts";
import { run } from "../../lab/namespaces.ts";
import type { Usage } from "../pipeline/process-usage.ts";
import { senderAddress, senderInterface } from "./veth-link.ts";

const lookEveryMs = 10;
const vantage = [process.execPath, join(import.meta.dirname, "../../../apps/vantage.ts")];
const port = 8080;

const [backEnd = "packet", file = "", packets] = Bun.argv.slice(2);
await run(["ip", "link", "set", "lo", "up"]);
await using rig = await AgentRig.open(null);
const prober = {
  interface: senderInterface,
  src_ipv4_prefix: `${senderAddress}/32`,
  probing_rate: 10_000_000,
  rate_limiting_method: "none",
  back_end: backEnd,
};
const agent = await rig.start("", "bench", { kafka: { out_enable: false }, prober: [prober] }, port);
const config = join(rig.folder, "client.yaml");
writeFileSync(config, JSON.stringify({ kafka: { brokers: rig.brokerAddress } }));
const sentBefore = sent();
const startedAtMs = performance.now();
const client = Bun.spawn([...vantage, "client", "-c", config, "-p", file, "--no-wait", "bench"], {
  stdio: ["ignore", "ignore", "pipe"],
});
while (sent() - sentBefore < Number(packets)) {
  await Bun.sleep(lookEveryMs);
}
const elapsedMs = performance.now() - startedAtMs;
await client.exited;
await agent.stop();
console.log(JSON.stringify({ elapsedMs, client: usedBy(client), agent: usedBy(agent.process) }));

function sent(): number {
  return Number(readFileSync(`/sys/class/net/${senderInterface}/statistics/tx_packets`, "utf8"));
}

/** Usage of a process that has ended. */
function usedBy(ended: Subprocess): Usage {
  const usage = ended.resourceUsage();
  return { cpuSec: Number(usage?.cpuTime.total ?? 0) / 1e6, peakMb: (usage?.maxRSS ?? 0) / 1e6 };
}
