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

/** What each form has as the source, the time in seconds and the bytes of the largest probe. */
async function originsOf(port: number, isPing: boolean, isSilent: boolean) {
  const kind = isPing ? "ping" : "trace";
  const shape = isPing ? ["-c", "1"] : ["--flows", "1", "-q", "1", "-m", "1"];
  const own = async (form: string) => {
    const args = [...shape, "--wait-ms", "300", "-p", "udp", "--dst-port", String(port), "-o", form, target];
    const child = Bun.spawn([...vantageCommand, kind, ...args], { stdout: "pipe", stderr: "pipe" });
    const bytes = Buffer.from(await new Response(child.stdout).arrayBuffer());
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([isSilent ? 3 : 0, ""]);
    return bytes;
  };
  const [warts] = (await ofWarts(await own("warts"), kind)) as {
    readonly src: string;
    readonly start: { readonly sec: number };
    readonly probe_size: number;
  }[];
  const atlas = JSON.parse((await own("atlas")).toString());
  return [
    [warts?.src, warts?.start.sec, warts?.probe_size],
    [atlas.src_addr, atlas.timestamp, atlas.size + 28],
    ...(isPing ? [] : linesOf(await own("iris"), await own("mtr"), warts?.start.sec ?? 0)),
  ];
}

/** Iris has no size, mtr no time. */
function linesOf(iris: Buffer, mtr: Buffer, sec: number) {
  const { probe_src_addr: source, traceroute_start: start } = JSON.parse(iris.toString());
  const { src, psize } = JSON.parse(mtr.toString()).report.mtr;
  return [
    [source, Math.floor(Date.parse(start) / 1000), null],
    [src, sec, Number(psize)],
  ];
}

asRoot(
  "what nobody answers has the time, the source and the size of its probes, like what is answered",
  async () => {
    const silent = await Bun.udpSocket({ hostname: target, port: 0 });
    const closed = await Bun.udpSocket({ hostname: target, port: 0 });
    const closedPort = closed.port;
    closed.close();
    for (const isPing of [false, true]) {
      const firstSec = Math.floor(Date.now() / 1000);
      const unanswered = await originsOf(silent.port, isPing, true);
      const answered = await originsOf(closedPort, isPing, false);
      const endSec = Date.now() / 1000;
      for (const [i, [source, sec, bytes]] of unanswered.entries()) {
        expect([source, bytes]).toEqual([target, answered[i]?.[2] ?? null]);
        expect(Number(sec)).toBeGreaterThanOrEqual(firstSec);
        expect(Number(sec)).toBeLessThanOrEqual(endSec);
      }
    }
    silent.close();
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
