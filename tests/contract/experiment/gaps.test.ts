/** What an experiment sees of routes while the real collector is stopped and started again, and its router with it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { RouteObserver } from "../../../apps/probing/campaigns/experiments/run/route-observer.ts";
import { routePlane } from "../../../apps/probing/campaigns/experiments/run/route-plane.ts";
import { collectorAt } from "../../../lib/command/command/gateway/collector.ts";
import { ExperimentLedger, type KeptEvent } from "../../../lib/measuring/experiment/journal.ts";
import { until } from "../../run/until.ts";
import { CollectorHome } from "./collector-home.ts";

const prefix = "2001:db8:51::/48";
const subject = `${prefix} 127.0.0.1 192.0.2.9 in`;
const ending = new AbortController();
const told: KeptEvent[] = [];
let home: CollectorHome;
let observer: RouteObserver;
/** Changes that a watch has seen. */
let watched = 0;

beforeAll(async () => {
  home = await CollectorHome.start(0);
  const plane = routePlane(collectorAt(home.url, "", { retryDelaysMs: [] }), prefix);
  const ledger = new ExperimentLedger();
  ledger.apply({ kind: "begun", name: "gaps", startMs: Date.now(), definition: "" });
  const tell = (event: KeptEvent) => void told.push(event);
  const compare = async () => undefined;
  observer = new RouteObserver({ plane, ledger, nowMs: Date.now, tell, say: () => undefined, compare });
  void observer.follow(ending.signal);
  void plane.follow((change) => (watched += change === null ? 0 : 1), ending.signal).catch(() => undefined);
  // Both watches have begun.
  await Bun.sleep(300);
});
afterAll(async () => {
  ending.abort();
  await home?.[Symbol.asyncDispose]();
});

/** What one look says, as `gap 127.0.0.1`; a route with its path. */
async function look(): Promise<string[]> {
  const before = told.length;
  await observer.look();
  return told.slice(before).map(({ event, subject: about, detail }) => {
    return about === subject
      ? `${event} ${detail.replace(/ \(the router has it since .*\)$/, "")}`
      : `${event} ${about}`;
  });
}

/** The collector's answer. */
async function answer(): Promise<{ readonly is_stale: boolean }[]> {
  const response = await fetch(`${home.url}/api/routes?resource=${encodeURIComponent(prefix)}`);
  return ((await response.json()) as { routes: { is_stale: boolean }[] }).routes;
}

/** Milliseconds: the time that the last event says, from and to; both the same where it is exact. */
function lastTimes(): readonly [number, number] {
  const { timeNs = "0", withinNs = "0" } = told.at(-1) ?? {};
  const [at, within] = [Number(BigInt(timeNs) / 1000n) / 1e3, Number(withinNs) / 1e6];
  return [Math.round(at - within), Math.round(at + within)];
}

test("a path that goes and comes back between two looks is two events, at the collector's times", async () => {
  // A router that says what is left after its policy, nothing: nobody knows that of it after a start of the collector.
  home.tellEnd(true);
  home.tell(prefix, true);
  await until(() => watched === 1);
  await Bun.sleep(100);
  expect(await look()).toEqual(["route 64500 64501"]);
  expect(told.at(-1)?.detail).toContain("rejected");
  const beforeMs = Date.now();
  home.tell(prefix, false);
  home.tell(prefix, true, 64_502);
  await until(() => watched === 3);
  await Bun.sleep(100);
  expect(await look()).toEqual(["route-gone was 64500 64501", "route 64500 64502"]);
  expect(told.slice(-2).map(({ withinNs }) => withinNs)).toEqual([undefined, undefined]);
  expect(lastTimes()[0]).toBeGreaterThanOrEqual(beforeMs - 1);
});

test("a gap is stated once, from the last look before it on; what is said again behind it makes no row", async () => {
  const lookedMs = Date.now();
  expect(await look()).toEqual([]);
  await home.stop();
  expect(await look()).toEqual(["gap collector"]);
  expect(lastTimes()[0]).toBeGreaterThanOrEqual(lookedMs);
  expect(await look()).toEqual([]);
  await home.startAgain();
  await until(async () => (await answer())[0]?.is_stale === true);
  expect(await look()).toEqual(["gap-over collector", "gap 127.0.0.1"]);
  home.connect();
  home.tell(prefix, true, 64_502);
  home.tellEnd();
  await until(async () => (await answer())[0]?.is_stale === false);
  await until(async () => (await look()).join() === "gap-over 127.0.0.1");
  expect(await look()).toEqual([]);
});

test("what was another before a gap may have changed at any time of it; so may what is gone", async () => {
  for (const origin of [64_503, null]) {
    const lookedMs = Date.now();
    expect(await look()).toEqual([]);
    await home.stop();
    const stoppedMs = Date.now();
    expect(await look()).toEqual(["gap collector"]);
    await home.startAgain();
    await until(async () => (await answer())[0]?.is_stale === true);
    expect(await look()).toEqual(["gap-over collector", "gap 127.0.0.1"]);
    home.connect();
    if (origin !== null) {
      home.tell(prefix, true, origin);
    }
    home.tellEnd();
    await until(async () => (await answer()).every(({ is_stale }) => !is_stale));
    const said = await look();
    expect(said.at(-1)).toBe(origin === null ? "route-gone was 64500 64503" : "route 64500 64503");
    const [fromMs, toMs] = lastTimes();
    expect(fromMs).toBeGreaterThanOrEqual(lookedMs);
    expect(fromMs).toBeLessThanOrEqual(stoppedMs);
    expect(toMs).toBeGreaterThanOrEqual(Date.now() - 100);
    await until(
      async () => told.at(-1)?.event === "gap-over" || (await look()).length > 0 || said.length > 1,
    );
  }
});
