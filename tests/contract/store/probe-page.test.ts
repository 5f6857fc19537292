/** The probes of a measurement, page by page, with how many answers each has. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { answeredProbesView, probesView } from "../../../lib/answers/results/views/probes.ts";
import { type ProbeGiven, StoreProcess } from "../client/store-with-paths.ts";
import { viewRows } from "./view-rows.ts";

const measurement = "11111111-1111-4111-8111-111111111111";
const probe = { measurement, agent: "west", destination: "192.0.2.1", srcPort: 24000 };
/** Three probes from each of two sources of one agent, and from another that chooses. */
const probes: ProbeGiven[] = [0, 1, 2].flatMap((index) => [
  { ...probe, index, ttl: index + 1, source: "198.51.100.1" },
  { ...probe, index, ttl: index + 1, source: "198.51.100.2" },
  { ...probe, index, ttl: index + 1, agent: "east" },
]);
let process: StoreProcess;

beforeAll(async () => {
  process = await StoreProcess.start();
  // A record that was read twice.
  await process.insertProbes([
    ...probes,
    ...probes.slice(0, 3),
    { ...probe, measurement: "x", index: 0, ttl: 1 },
  ]);
  const answer = { ...probe, source: "198.51.100.1", from: "203.0.113.1", rttTenthMs: 1 };
  await process.insertReplies([
    { ...answer, ttl: 1 },
    { ...answer, ttl: 3 },
    { ...answer, ttl: 3, source: "198.51.100.2" },
    { ...answer, ttl: 3, measurement: "x" },
  ]);
});

afterAll(() => process[Symbol.asyncDispose]());

interface ProbeRow {
  readonly probe_index: number;
  readonly agent_id: string;
  readonly probe_src_addr: string | null;
  readonly probe_ttl: number;
  readonly replies?: number;
}

const filter = { measurementId: measurement };

test.each([1, 2, 4, 100])("each probe once, in order, as far as %d", async (limit) => {
  const seen = await viewRows<ProbeRow>(process.store, probesView, filter, limit);
  expect(seen.map((row) => [row.probe_index, row.probe_ttl, row.agent_id, row.probe_src_addr])).toEqual(
    [0, 1, 2]
      .flatMap((index) => [
        [index, index + 1, "east", null],
        [index, index + 1, "west", "198.51.100.1"],
        [index, index + 1, "west", "198.51.100.2"],
      ])
      .slice(0, limit),
  );
  expect(seen[0]).toMatchObject({ probe_protocol: "UDP", probe_src_port: 24000, probe_dst_port: 33434 });
});

test("answers are counted for the agent and what names the probe", async () => {
  const seen = await viewRows<ProbeRow>(process.store, answeredProbesView, filter);
  expect(seen.map(({ agent_id, replies }) => [agent_id, replies])).toEqual([
    ...[
      ["east", 0],
      ["west", 1],
      ["west", 1],
    ],
    ...[
      ["east", 0],
      ["west", 0],
      ["west", 0],
    ],
    ...[
      ["east", 0],
      ["west", 2],
      ["west", 2],
    ],
  ]);
});
