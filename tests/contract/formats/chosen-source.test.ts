/**
 * The source of what nothing answered, where the agent chose it: an agent chooses one for each family, so the answers
 * to its other probes in the measurement show it.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { StoreProcess } from "../client/store-with-paths.ts";
import { fillStore, type RawReply, type RawRows } from "../results/raw-rows.ts";

const measurement = "11111111-1111-4111-8111-111111111111";
const answering = "203.0.113.9";
const silent = "203.0.113.10";
const silentIpv6 = "2001:db8::10";
const timeMs = Date.now() - 3_700_000;
let store: StoreProcess;
beforeAll(async () => {
  store = await StoreProcess.start();
});
afterAll(() => store[Symbol.asyncDispose]());

const flow = { protocol: 17, srcPort: 24_000, dstPort: 33_434, ttl: 5 };

function probes(source: string, destinations: readonly string[]): RawRows["probes"] {
  return destinations.map((destination, index) => ({
    ...{ ...flow, destination, measurement, agent: "west", source, index, timeMs },
  }));
}

function answerOf(source: string, ms: number): RawReply {
  return {
    ...{ ...flow, destination: answering, timeNs: BigInt(timeMs + ms) * 1_000_000n, measurement },
    ...{ agent: "west", sender: "west", instance: 0, source, from: answering },
    ...{ replyProtocol: 1, icmpType: 3, icmpCode: 3, rttTenthMs: 90, labels: [] },
  };
}

async function written(format: string, ...filter: string[]): Promise<string> {
  const words = ["replies", measurement, "--store", store.store.address, "-o", format, ...filter];
  const { stdout, stderr, exitCode } = await runToEnd([...vantageCommand, ...words]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

async function sources(format: "atlas" | "mtr" | "iris", ...filter: string[]) {
  const lines = (await written(format, ...filter)).trimEnd().split("\n");
  const objects = lines.map((line) => JSON.parse(line));
  return Object.fromEntries(
    objects.map((one) =>
      format === "mtr"
        ? [one.report.mtr.dst, one.report.mtr.src]
        : [one.dst_addr ?? one.probe_dst_addr, one.src_addr ?? one.probe_src_addr ?? null],
    ),
  );
}

test("of the family that has answers, in every format and whatever is asked for", async () => {
  const all = [answering, silent, silentIpv6];
  await fillStore(store.store, { probes: probes("::", all), replies: [answerOf("192.0.2.7", 9)] });
  const known = { [answering]: "192.0.2.7", [silent]: "192.0.2.7" };
  expect(await sources("atlas")).toEqual({ ...known, [silentIpv6]: null });
  expect(await sources("mtr")).toEqual({ ...known, [silentIpv6]: "west" });
  expect(await sources("iris")).toEqual({ ...known, [silentIpv6]: "::" });
  expect(await sources("atlas", "-d", silent)).toEqual({ [silent]: "192.0.2.7" });
  const pings = (await written("atlas", "-v", "pings")).trimEnd().split("\n");
  expect(pings.map((line) => JSON.parse(line).src_addr ?? null)).toEqual(["192.0.2.7", "192.0.2.7", null]);
});

test("not where answers show several, or one that was asked for", async () => {
  const replies = [answerOf("192.0.2.7", 9), answerOf("192.0.2.8", 19)];
  await fillStore(store.store, { probes: probes("::", [answering, silent]), replies });
  expect((await sources("atlas"))[silent]).toBeNull();
  const both = [...probes("::", [silent]), ...probes("192.0.2.7", [answering])];
  await fillStore(store.store, { probes: both, replies: [answerOf("192.0.2.7", 9)] });
  expect(await sources("atlas")).toEqual({ [answering]: "192.0.2.7", [silent]: null });
});
