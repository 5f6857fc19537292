/**
 * Every process of an experiment is killed at each of its steps: what BGP hears outside is what it hears without kills,
 * no more and no less, and every catchment is there. An exchange server's BIRD takes its routes along, and tells them
 * again. `VANTAGE_LAB_KILLS` names some of them, with commas between.
 *
 * @tier long: tests/contract/experiment kills gateways, and contract tests each of the others
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { intervalSec, isAnnounced, type Run, runDisturbed, steps } from "./disturbed-run.ts";
import { LabExperiment, type TimeLineRow } from "./lab-experiment.ts";
import { managementAddress, routerIds } from "./plan.ts";
import { inventedRows, routeRows } from "./time-line-truth.ts";
import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** The collector follows files, and looks at them twice a second where the kernel is late to say that they grow. */
const slackMs = 1000;
/** Less than a session is away for that BIRD makes again after a second. */
const awayMsMin = 200;
/** How well the collector's clock is known. */
const clockMs = 10;
/** When the collector was killed, by the clock that all here have. */
const collectorKilledMs: number[] = [];

const kills: Record<string, (experiment: LabExperiment, step: number) => Promise<void>> = {
  "the peering gateway": async () => world.parts.platform.stack.killPart("peering"),
  "the client stack": async () => {
    const site = world.parts.sites.get("west");
    await site?.killClient();
    site?.startClient();
  },
  "the policy generator": async () => {
    const server = world.parts.exchanges.get("ixp-1");
    await server?.killGenerator();
    server?.startGenerator();
  },
  "the exchange server's BIRD": async () => {
    const server = world.parts.exchanges.get("ixp-1");
    await server?.killBird();
    await server?.startBird();
  },
  "the probing gateway": async () => world.parts.platform.stack.killPart("gateway"),
  "the column store": async () => world.parts.platform.stack.killPart("store"),
  "the ingester": async () => world.parts.platform.stack.killPart("ingest"),
  "the agent that asks": async () => {
    const site = world.parts.sites.get("west");
    await site?.killAgent();
    await site?.startAgent();
  },
  "the collector": async (experiment, step) => {
    collectorKilledMs.push(Date.now());
    await world.parts.platform.killCollector();
    // Away until that is noticed.
    await experiment.reached('"subject":"collector","event":"gap"', step + 1);
    world.parts.platform.startCollector(world.parts.routers.mrtFiles());
  },
};
const wanted = process.env.VANTAGE_LAB_KILLS ?? "all";
const chosen = Object.keys(kills).filter((victim) => wanted === "all" || wanted.split(",").includes(victim));

let undisturbed: Run;
test("an experiment that nobody disturbs", async () => {
  undisturbed = await runDisturbed(world, "undisturbed", async () => undefined);
  expect(undisturbed.heard.bird?.length).toBe(3);
  expect(await inventedRows(world, await undisturbed.experiment.timeLine(), slackMs)).toEqual([]);
});

const lateCatchment = { catchment: { after: 300 } };
const isLoss = (text: string) => text.startsWith("L ");

/**
 * What was heard, without sessions that were lost, and without what the next one began with of what stood. BIRD 2.0.12
 * says its first route twice in a row now and then.
 */
function withoutLosses(heard: readonly string[]): string[] {
  let standing = "";
  return heard.filter((text, index) => {
    const [before = "", twoBefore = ""] = [heard[index - 1], heard[index - 2]];
    const isAgain = (isLoss(before) && text === standing) || (isLoss(twoBefore) && text === before);
    standing = isLoss(text) ? standing : text;
    return !isLoss(text) && !isAgain;
  });
}

test.each(chosen)("%s is killed at each step", async (victim) => {
  const { experiment, heard, rounds } = await runDisturbed(
    world,
    victim.replaceAll(/\W/g, "-"),
    kills[victim] ?? (async () => undefined),
  );
  expect(rounds).toEqual(undisturbed.rounds);
  const rows = await experiment.timeLine();
  expect(await inventedRows(world, rows, slackMs)).toEqual([]);
  if (victim === "the exchange server's BIRD") {
    const { bird = [], ...others } = heard;
    expect<unknown>({ ...others, bird: withoutLosses(bird) }).toEqual(undisturbed.heard);
    expectRoutesLost(rows, bird);
  } else {
    expect(heard).toEqual(undisturbed.heard);
  }
  if (victim === "the collector") {
    expectGaps(rows);
    const store = `chdb:${join(world.parts.folder, "stack", "store")}`;
    // What GoBGP says again behind a gap makes no row, and what came in it has the time at which it says so.
    const stored = await experiment.timeLine("--store", store);
    expect(routeRows(stored).length).toBeGreaterThan(steps.length);
    expect(await inventedRows(world, stored, Number.POSITIVE_INFINITY)).toEqual([]);
  }
});

/** Each session that was lost with the route is on the time line, and that the route is back. */
function expectRoutesLost(rows: readonly TimeLineRow[], heard: readonly string[]): void {
  expect(heard.filter(isLoss)).toHaveLength(steps.length);
  const lost = heard.filter((text, index) => isLoss(text) && heard[index - 1]?.startsWith("A")).length;
  expect(lost).toBeGreaterThanOrEqual(steps.length - 1);
  const [, peer = ""] = heard.find((text) => text.startsWith("A"))?.split(" ") ?? [];
  const own = routeRows(rows).filter(({ subject }) => subject.includes(` ${routerIds.bird} ${peer} `));
  const away = own.flatMap(({ event, at_ns: atNs }, index) =>
    event === "route-gone" ? [Number(BigInt(own[index + 1]?.at_ns ?? atNs) - BigInt(atNs)) / 1e6] : [],
  );
  expect(away).toHaveLength(lost);
  // A second, until BIRD of the upstream tries again; what is only known to be gone when it is back is so for none.
  expect(away.filter((ms) => ms < awayMsMin)).toEqual([]);
}

/** The experiment's own gap, and that of GoBGP, begin before each kill of the collector. */
function expectGaps(rows: readonly TimeLineRow[]): void {
  expect(collectorKilledMs).toHaveLength(steps.length);
  for (const subject of ["collector", managementAddress("gobgp")]) {
    const own = rows.filter((row) => row.subject === subject && row.event.startsWith("gap"));
    const times = own.map(({ event, at_ns: atNs }) => ({ event, atMs: Number(atNs) / 1e6 }));
    for (const killedMs of collectorKilledMs) {
      expect(times.findLast(({ atMs }) => atMs <= killedMs + clockMs)?.event).toBe("gap");
    }
  }
  // GoBGP waits longer from try to try.
  expect(rows.findLast(({ subject }) => subject === "collector")?.event).toBe("gap-over");
}

test("without its terminal it goes on, and when it is stopped the prefix is gone everywhere", async () => {
  const experiment = new LabExperiment(world, "left", [
    { at: 0, announce: { sites: ["ixp-1", "ixp-2", "ixp-3"] }, probe: lateCatchment },
  ]);
  experiment.start(intervalSec);
  await until("the routes", () => isAnnounced(world, true));
  await experiment.kill();
  // Three intervals, without whom it was started by.
  await Bun.sleep(3000 * intervalSec);
  expect(await isAnnounced(world, true)).toBe(true);
  await experiment.stop();
  await until("no route", () => isAnnounced(world, false));
});
