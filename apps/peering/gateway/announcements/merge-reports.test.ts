import { expect, test } from "bun:test";
import { plainAttributes } from "../../../../lib/base/api/announcements.ts";
import { mergeReports } from "./merge-reports.ts";

const nowMs = Date.parse("2026-11-23T06:00:00Z");
const state = (server: string, exchange: "accepted" | "unknown" | "withdrawn", daemonNs: string | null) => ({
  ...{
    prefix: "2001:db8:51::/48",
    server,
    announce: exchange === "accepted",
    prepend: 0,
    ...plainAttributes,
  },
  ...{ daemon_ns: daemonNs, daemon_reason: daemonNs === null ? "the VPN lists no such server" : null },
  ...{ exchange, exchange_ns: null, exchange_reason: null, heard_by: [], changes: null, clock: null },
});
const report = (
  machine: string,
  version: number,
  minutesAgo: number,
  states: ReturnType<typeof state>[],
) => ({
  ...{ machine, version, taken_ns: String(version), states },
  received_at: new Date(nowMs - 60_000 * minutesAgo).toISOString(),
});
const west = report("100.64.0.11", 7, 1, [state("ixp-1", "accepted", "5"), state("ixp-2", "unknown", null)]);
const east = report("100.64.0.12", 6, 2, [state("ixp-1", "unknown", null), state("ixp-2", "withdrawn", "4")]);
const seen = (reports: (typeof west)[], newest = 7) => {
  const merged = mergeReports(reports, newest, nowMs);
  return merged && [merged.version, merged.states.map(({ server, exchange }) => `${server} ${exchange}`)];
};

test("each exchange server is as the machine says that has joined it, whoever reported last", () => {
  const whole = [6, ["ixp-1 accepted", "ixp-2 withdrawn"]];
  expect(seen([west, east])).toEqual(whole);
  expect(seen([east, west])).toEqual(whole);
});

test("a machine that has not followed for ten minutes is left out, unless it is the only one", () => {
  const gone = { ...east, received_at: new Date(nowMs - 601_000).toISOString() };
  expect(seen([west, gone])).toEqual([7, ["ixp-1 accepted", "ixp-2 unknown"]]);
  expect(seen([gone])).toEqual([6, ["ixp-1 unknown", "ixp-2 withdrawn"]]);
  expect(seen([gone], 6)).toEqual([6, ["ixp-1 unknown", "ixp-2 withdrawn"]]);
});

test("a comparison of clocks says less, the older the report is that has it", () => {
  const compared = (minutesAgo: number) => {
    const states = west.states.map((one) => ({ ...one, clock: { offset_ms: -3, within_ms: 2 } }));
    return { ...west, states, received_at: new Date(nowMs - 60_000 * minutesAgo).toISOString() };
  };
  const clocks = (minutesAgo: number) =>
    mergeReports([compared(minutesAgo)], 7, nowMs)?.states.map(({ clock }) => clock);
  expect(clocks(0)).toEqual([...Array(2)].map(() => ({ offset_ms: -3, within_ms: 2 })));
  // 15 millionths of ten minutes.
  expect(clocks(10)?.[0]).toEqual({ offset_ms: -3, within_ms: 11 });
  expect(mergeReports([west], 7, nowMs)?.states[0]?.clock).toBeNull();
});

test("nobody has reported, or nothing yet", () => {
  expect(seen([])).toBe(null);
  expect(seen([report("", 3, 1, [])])).toEqual([3, []]);
});
