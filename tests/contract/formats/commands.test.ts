/** `vantage trace` and `ping` in other programs' formats, as processes on loopback, read by scamper's tools. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vantageCommand } from "../../run/vantage-command.ts";
import { output } from "./scamper.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-programs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Raw sockets. */
const asRoot = test.skipIf(process.getuid?.() !== 0);
const target = "127.0.0.1";
const limitMs = 60_000;

async function bytesOf(...args: string[]): Promise<Buffer> {
  const child = Bun.spawn([...vantageCommand, ...args, "-p", "icmp", target], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [bytes, complaint] = await Promise.all([
    new Response(child.stdout).arrayBuffer(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, complaint]).toEqual([0, ""]);
  return Buffer.from(bytes);
}

async function ofWarts(bytes: Buffer, type: string): Promise<unknown[]> {
  const file = join(folder, "own.warts");
  await Bun.write(file, bytes);
  const lines = (await output(["sc_warts2json", file])).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as { type: string }).filter((one) => one.type === type);
}

asRoot(
  "a trace: one for each flow, with each answer",
  async () => {
    const traces = await ofWarts(await bytesOf("trace", "--flows", "2", "-q", "2", "-o", "warts"), "trace");
    const hops = [1, 2].map((attempt) => ({ addr: target, probe_ttl: 1, probe_id: attempt, icmp_type: 0 }));
    const both = [24_000, 24_001].map(() => ({
      method: "icmp-echo-paris",
      dst: target,
      stop_reason: "COMPLETED",
    }));
    expect(traces).toMatchObject(both.map((one) => ({ ...one, hops })));
    const atlas = (await bytesOf("trace", "--flows", "1", "-q", "1", "-o", "atlas")).toString();
    expect(JSON.parse(atlas)).toMatchObject({ type: "traceroute", dst_addr: target, result: [{ hop: 1 }] });
  },
  limitMs,
);

asRoot(
  "a ping: one object with all answers",
  async () => {
    const pings = await ofWarts(
      await bytesOf("ping", "-c", "3", "--interval-ms", "10", "-o", "warts"),
      "ping",
    );
    const responses = [0, 1, 2].map((seq) => ({ from: target, seq, icmp_type: 0 }));
    expect(pings).toMatchObject([{ ping_sent: 3, dst: target, ttl: 64, responses }]);
    const atlas = (await bytesOf("ping", "-c", "1", "-o", "atlas")).toString();
    expect(JSON.parse(atlas)).toMatchObject({
      type: "ping",
      sent: 1,
      rcvd: 1,
      result: [{ rtt: expect.any(Number) }],
    });
  },
  limitMs,
);

test("what has no such format is said", async () => {
  for (const [args, message] of [
    [["ping", "-o", "iris"], "-o"],
    [["trace", "--report", "-o", "mtr"], "-o mtr has single traces: leave out --watch and --report"],
  ] as const) {
    const child = Bun.spawn([...vantageCommand, ...args, target], { stdout: "ignore", stderr: "pipe" });
    expect(await new Response(child.stderr).text()).toContain(message);
    expect(await child.exited).toBe(2);
  }
});
