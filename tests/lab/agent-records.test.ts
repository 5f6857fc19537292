/** Records that an agent must not send, or not all of: each is counted and explained, those behind it are served. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OutgoingRecord } from "../../lib/engines/broker/broker.ts";
import { probesTopic } from "../../lib/net/wire/target-header.ts";
import { AgentRig, probeRecord, probesTo } from "./agent-rig.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import { internet } from "./topology.ts";

const prober = {
  interface: interfaceTo("eastAccess"),
  src_ipv6_prefix: "2001:db8:e000::/48",
  probing_rate: 1000,
  min_ttl: 2,
  max_ttl: 40,
};

let net: Internet;
beforeAll(async () => {
  net = await Internet.start(internet);
});
afterAll(() => net.stop());

const target = "2001:db8:cb::10";
const good = probeRecord("east", { measurementId: "m" }, probesTo(target, { ports: [24_000], ttls: [3] }));
const bytes = good.value;
const patched = (at: number, values: readonly number[]): Uint8Array => {
  const copy = bytes.slice();
  copy.set(values, at);
  return copy;
};
const withValue = (value: Uint8Array): OutgoingRecord => ({ ...good, value });
const withHeader = (text: string): OutgoingRecord => ({ ...good, headers: { east: text } });

const refused: [what: string, record: OutgoingRecord, reason: string][] = [
  ["truncated", withValue(bytes.slice(0, 47)), "probe 0, at byte 0: truncated"],
  [
    "no Cap'n Proto at all",
    withValue(new TextEncoder().encode("2001:db8::1,1,2,3,udp\n")),
    "probe 0, at byte 0: ",
  ],
  ["framing of another kind", withValue(bytes.slice(8)), "probe 0, at byte 0: "],
  ["a thousand segments", withValue(patched(0, [0xe7, 3])), "probe 0, at byte 0: segmentCount"],
  ["a message of gigabytes", withValue(patched(4, [255, 255, 255, 127])), "probe 0, at byte 0: messageSize"],
  ["a pointer out of the message", withValue(patched(24, [1, 1, 0, 0])), "probe 0, at byte 0: pointerBounds"],
  ["a list that reaches far", withValue(patched(28, [0x82, 0, 0, 16])), "probe 0, at byte 0: pointerBounds"],
  ["a capability for an address", withValue(patched(24, [3])), "probe 0, at byte 0: pointerKind"],
  ["an unknown protocol", withValue(patched(22, [9])), "probe 0, at byte 0: protocolUnknown"],
  ["TTL 0", withValue(patched(20, [0])), "probe 0, at byte 0: ttlZero"],
  [
    "good probes and then a bad one",
    withValue(new Uint8Array([...bytes, ...patched(20, [0])])),
    "probe 1, at byte 48: ttlZero",
  ],
  ["a header that is not JSON", withHeader("{"), "header is not JSON"],
  ["a header that is a list", withHeader("[]"), "header is not a JSON object"],
  ["a source that is not a string", withHeader('{"src_ip":5}'), "src_ip is not a string"],
  ["a source that is not an address", withHeader('{"src_ip":"x"}'), 'src_ip "x" is not an IP address'],
  [
    "a source of somebody else",
    withHeader('{"src_ip":"2001:db8:f000::1"}'),
    "source 2001:db8:f000::1 lies in no prefix of this agent",
  ],
  [
    "an endless measurement id",
    withHeader(`{"measurement_id":"${"x".repeat(200)}"}`),
    "measurement_id has more than 120 bytes",
  ],
];

test("each refused record is set aside with its reason, and the good one behind them is sent", async () => {
  await using rig = await AgentRig.open(net);
  const agent = await rig.start("east", "east", { prober: [prober] });
  // One key, so one partition: those behind a bad record would starve if it stopped anything.
  await rig.broker.publish(probesTopic, [...refused.map(([, record]) => record), good]);
  const [heard] = await rig.replies(1);
  expect(heard?.headers.measurement_id).toBe("m");
  const letters = readFileSync(join(rig.stateDir("east"), "refused-records.ndjson"), "utf8")
    .trim()
    .split("\n");
  const reasons = letters.map((line) => JSON.parse(line).reason as string);
  expect(reasons).toEqual(refused.map(([, , reason]) => expect.stringContaining(reason)));
  expect(await rig.metric("east", "records_bad_total")).toBe(refused.length - 1);
  expect(await rig.metric("east", "records_refused_total")).toBe(1);
  expect(await rig.metric("east", "sender_sent_total")).toBe(1);
  expect(await agent.stop()).toBe(0);
  expect(agent.stderr()).toContain("lies in no prefix of this agent");
});

describe("what is left out of a good record is counted", () => {
  test("TTLs outside of the limits, families without a source, and what is too late", async () => {
    await using rig = await AgentRig.open(net);
    const agent = await rig.start("east", "east", { prober: [prober] });
    const probes = [
      ...probesTo(target, { ports: [24_000], ttls: [1, 2, 40, 41, 255] }),
      ...probesTo("203.0.113.10", { ports: [24_000], ttls: [5, 6, 7] }),
    ];
    await rig.broker.publish(probesTopic, [
      probeRecord("east", { measurementId: "late", notAfterMs: Date.now() - 1000 }, probes),
      probeRecord("east", { measurementId: "in-time", notAfterMs: Date.now() + 60_000 }, probes),
      // As an existing client names its measurement.
      {
        ...good,
        headers: {
          east: '{"src_ip":"2001:db8:e000::5"}',
          measurement_id: "plain",
          end_of_measurement: "true",
        },
      },
    ]);
    const heard = await rig.replies(3);
    expect(heard.map(({ headers }) => headers.measurement_id).sort()).toEqual([
      "in-time",
      "in-time",
      "plain",
    ]);
    expect(await rig.metric("east", "probes_expired_total")).toBe(8);
    expect(await rig.metric("east", "probes_without_source_total")).toBe(3);
    const metrics = await rig.get("east", "/metrics");
    expect(metrics).toMatch(/sender_filtered_total\{[^}]*filter="ttl_low"[^}]*\} 1\n/);
    expect(metrics).toMatch(/sender_filtered_total\{[^}]*filter="ttl_high"[^}]*\} 2\n/);
    expect(existsSync(join(rig.stateDir("east"), "refused-records.ndjson"))).toBe(false);
    expect(await agent.stop()).toBe(0);
  });
});
