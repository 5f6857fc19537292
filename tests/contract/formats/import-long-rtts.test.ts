/** The column of round-trip times holds up to 6553.4 ms: what is longer is imported without one, and counted. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { traceWriters } from "../../../lib/measuring/formats/forms.ts";
import type { TraceReply } from "../../../lib/measuring/formats/trace.ts";
import { runToEnd } from "../../run/said.ts";
import { inTier } from "../../run/tier.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { StoreProcess } from "../client/store-with-paths.ts";
import { randomTrace } from "./random-traces.ts";

let store: StoreProcess;
beforeAll(async () => {
  store = await StoreProcess.start();
});
afterAll(() => store[Symbol.asyncDispose]());

const traces = fc.sample(randomTrace, { numRuns: inTier({ usual: 1000, long: 3000 }), seed: 11 });

function noTrace(): never {
  throw new Error("There is such a trace");
}

test("round-trip times above the column's range are stored as unknown, and counted", async () => {
  const trace = traces.find(({ protocol, replies }) => protocol === "UDP" && replies.length > 3) ?? noTrace();
  const rtts = [6553.4, 6553.5, 70_000, null];
  const replies = trace.replies.slice(0, rtts.length).map((reply, i) => {
    const time_received = new Date(Date.now() - 3_600_000 + i).toISOString().replace("Z", "000000Z");
    return { ...reply, time_received, rtt_ms: rtts[i] ?? null };
  });
  const probes = trace.probes.filter(({ ttl }) => replies.some(({ probe_ttl }) => probe_ttl === ttl));
  const long = { ...trace, probes, replies };
  for (const form of ["warts", "atlas"] as const) {
    const file = join(store.folder, `long.${form}`);
    await Bun.write(file, Buffer.from(traceWriters[form]().row(long)));
    const command = [...vantageCommand, "import", "--store", store.address, file];
    const { stdout, stderr, exitCode } = await runToEnd(command);
    const lines = stdout.split("\n");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(lines.slice(2)).toEqual(["2 round-trip times above 6553.4 ms were stored as unknown", ""]);
    const shown = await store.run("-v", "replies", "-o", "ndjson", lines[0] ?? "");
    const known = shown.lines.map((line) => (JSON.parse(line) as TraceReply).rtt_ms);
    expect(known.filter((rtt) => rtt !== null)).toEqual([6553.4]);
    expect(known).toHaveLength(rtts.length);
  }
});
