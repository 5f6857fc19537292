/** `--pcap FILE` of `vantage trace` and `vantage ping`: the packets of this command, all of them, and nobody else's. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { targetAddress } from "./responder/scenario.ts";
import { testInternet } from "./topology.ts";

const folder = mkdtempSync(join(tmpdir(), "pcap-"));

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(testInternet);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await net.stop();
});

async function run(node: string, command: readonly string[]) {
  return await runToEnd(net.at(node, [...command]));
}

/** What a command said of its probes, and what tcpdump reads in its file: packets by their direction. */
async function recorded(...args: readonly string[]) {
  const path = join(folder, `${crypto.randomUUID()}.pcap`);
  const command = [...vantageCommand, ...args, "-w", "500", "-o", "ndjson", "--pcap", path];
  const { stdout, stderr } = await run("east", command);
  const dump = await run("east", ["tcpdump", "-nn", "-tt", "-r", path]);
  const lines = dump.stdout.trim().split("\n");
  const sent = lines.filter(
    (line) => /(UDP, length|echo request|Flags \[S\],)/.test(line) && !/unreach|exceed/.test(line),
  );
  return {
    path,
    stdout,
    stderr,
    lines,
    sent: sent.length,
    heard: lines.length - sent.length,
    exitCode: dump.exitCode,
  };
}

interface Traced {
  readonly probes: Readonly<Record<"sent" | "answered" | "lost" | "not_awaited" | "failed", number>>;
}

const families = ["v4", "v6"] as const;
const wanted = families.flatMap((family) => [
  { family, protocol: "udp", target: 10, what: "a target" },
  { family, protocol: "tcp", target: 10, what: "a target" },
  { family, protocol: "icmp", target: 15, what: "a target behind a device that rewrites checksums" },
  { family, protocol: "udp", target: 15, what: "a target behind a device that rewrites checksums" },
  { family, protocol: "udp", target: 16, what: "a target where answers are forged" },
]);

test("commands at the same time: each file has the command's own packets, as many as it counts", async () => {
  const runs = await Promise.all(
    wanted.map(async ({ family, protocol, target }) => {
      const dst = targetAddress(target)[family];
      return await recorded(
        "trace",
        dst,
        "-p",
        protocol,
        "-m",
        "12",
        "--src-port",
        String(20_000 + target * 100),
      );
    }),
  );
  for (const [i, { path, stdout, stderr, sent, heard, exitCode }] of runs.entries()) {
    const { probes } = JSON.parse(stdout) as Traced;
    const counted = `${path} has ${sent} packets sent and ${heard} received`;
    expect({ of: wanted[i], said: stderr.trim(), exitCode, sent }).toEqual({
      ...{ of: wanted[i], said: `vantage trace: ${counted}`, exitCode: 0, sent: probes.sent },
    });
    expect(heard).toBeGreaterThanOrEqual(probes.answered);
    expect(heard).toBeLessThanOrEqual(probes.answered + probes.not_awaited);
  }
});
