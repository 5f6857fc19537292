/**
 * An experiment on everything real: what it says of catchments is what the routers' tables say, and pings; what our
 * collector says of BGP is what the daemons have noted themselves.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../../exchange/until.ts";
import { longTest } from "../../run/long-test.ts";
import { inTier } from "../../run/tier.ts";
import { forwardingTruth } from "./forwarding.ts";
import { LabExperiment } from "./lab-experiment.ts";
import { managementAddress, routerIds, stubs, targets } from "./plan.ts";
import { RouteWatch } from "./route-watch.ts";
import { collectedUpdates, notedUpdates, receivedAt, storedUpdates, type Update } from "./told-updates.ts";
import { pingCatchments } from "./verfploeter.ts";
import { WireWatch } from "./wire-updates.ts";
import { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const catchment = { catchment: { after: 4 } };
/** Each round is compared with the routers' tables before the next step, which a busy machine needs time for. */
const stepSec = 30;
const steps = [
  { announce: { sites: "all" } },
  { announce: { sites: ["ixp-1", "ixp-3"], prepend: 2 } },
  { withdraw: { sites: ["ixp-2"] } },
  { announce: { sites: ["ixp-2"], prepend: 1 } },
  { withdraw: { sites: ["ixp-1"] } },
]
  .slice(0, inTier({ usual: 3, long: 5 }))
  .map((step, index) => ({ at: stepSec * index, ...step, probe: catchment }));
/** Keeps the prefix announced while the last round is compared. */
const lastStep = { at: stepSec * steps.length, probe: { catchment: { after: 8 } } };

/** Round trips on one machine, one for each of two comparisons; it may be very busy. */
const clockMs = 5000;

/** Sites with a comma between them, where there are several. */
const caught = (round: ReadonlyMap<string, readonly string[]>) =>
  new Map<string, string | null>(
    [...round].map(([target, sites]) => [target, sites.join() || null] as const),
  );

test("each target is caught where the routers' tables lead, and where a ping finds it, in every round", async () => {
  await using wire = await WireWatch.start(world.parts.net, Object.keys(routerIds), world.parts.folder);
  const beginUs = 1000 * Date.now();
  const experiment = new LabExperiment(world, "catchments", [...steps, lastStep]);
  experiment.start();
  const rounds: string[][] = [];
  for (const round of steps.keys()) {
    await experiment.reached(`"kind":"round","round":${round},`);
    const [truth, pinged] = await Promise.all([
      forwardingTruth(world.parts.net),
      pingCatchments(world.parts.net),
    ]);
    expect(caught(await experiment.round(round))).toEqual(truth);
    expect(pinged).toEqual(truth);
    rounds.push([...truth.values()].map(String));
  }
  expect(await experiment.ended()).toEqual({ code: 0, said: expect.stringContaining("Ended: finished") });
  // The steps have moved somebody each time, or the rounds would show little.
  expect(new Set(rounds.map((sites) => sites.join())).size).toBeGreaterThanOrEqual(steps.length - 1);
  const rows = await experiment.timeLine();
  // By the gateway, who compares an agent's clock with its own at each report.
  const probed = rows.filter(({ plane, source }) => plane === "data" && source !== "controller");
  expect(new Set(probed.map(({ source }) => source)).size).toBeGreaterThan(0);
  expect(
    probed.filter(({ within_ms: withinMs }) => (withinMs ?? Number.POSITIVE_INFINITY) > clockMs),
  ).toEqual([]);
  const heard = rows.filter(({ source }) => source === "collector");
  const stored = await receivedAt(world);
  expect(heard.length).toBeGreaterThan(steps.length);
  // Each has the time at which the collector had it, not that at which the experiment looked.
  for (const { subject, time_ns: timeNs, within_ms: withinMs } of heard) {
    const [, router, peer] = subject.split(" ");
    expect(stored).toContain(`${router} ${peer} ${BigInt(timeNs) / 1000n}`);
    expect(withinMs).toBeLessThan(clockMs);
  }
  await wire[Symbol.asyncDispose]();
  for (const node of ["bird", "frr", "gobgp"] as const) {
    await mustBeStored(node, await wire.updates(node), beginUs);
  }
  process.stderr.write(`${rounds.map((sites) => sites.join(" ")).join("\n")}\n`);
});

/**
 * Each message about the prefix that tcpdump reads on its way to a router is a line of ours, in the order of its
 * neighbour, and not before the packet. (It reads no message that lies in two segments: whether all lines are of
 * messages is for the daemons' own files, below.)
 */
async function mustBeStored(node: keyof typeof routerIds, packets: readonly Update[], beginUs: number) {
  const router = node === "gobgp" ? managementAddress(node) : routerIds[node];
  expect(packets.length).toBeGreaterThan(steps.length);
  const { rows, lateMs } = await until(`all rows of ${node}`, async () => {
    const own = (await collectedUpdates(world, router)).filter(({ timeUs }) => timeUs >= beginUs);
    const late = behindPackets(packets, own);
    return !late.some(Number.isNaN) && { rows: own.length, lateMs: late };
  });
  const words = `${lateMs[0]} to ${lateMs.at(-1)} ms behind the packets`;
  process.stderr.write(`${node}: ${packets.length} of ${rows} lines, ${words}\n`);
  expect(lateMs.filter((late) => late < 0)).toEqual([]);
}

/** Milliseconds, ascending; NaN for a packet without a line of ours. */
function behindPackets(packets: readonly Update[], own: readonly Update[]): number[] {
  const left = Map.groupBy(own, ({ text }) => text.slice(2));
  const lateMs = packets.map(({ text, timeUs }) => {
    const lines = left.get(text.slice(2)) ?? [];
    const line = lines.findIndex((one) => one.text === text && one.timeUs >= timeUs);
    const foundUs = lines.splice(0, line + 1).at(-1)?.timeUs ?? Number.NaN;
    return (foundUs - timeUs) / 1000;
  });
  return lateMs.sort((a, b) => a - b);
}

const changes = [
  { at: 0, announce: { sites: ["ixp-1", "ixp-2", "ixp-3"] } },
  { at: 5, announce: { sites: ["ixp-1", "ixp-3"], prepend: 2 } },
  { at: 10, withdraw: { sites: ["ixp-2"] } },
  { at: 20, announce: { sites: ["ixp-2"], prepend: 1 } },
  { at: 25, withdraw: { sites: ["ixp-1"] } },
  { at: 30, probe: { catchment: {} } },
];

interface Status {
  readonly gaps: readonly { readonly router: string; readonly from: string; readonly to: string | null }[];
}

/** The routes that stand after these messages, as the last one about each neighbour's says. */
function standing(updates: readonly Update[]): Update[] {
  const last = new Map(updates.map((update) => [update.text.split(" ")[1], update]));
  return [...last.values()].filter(({ text }) => text.startsWith("A"));
}

const byText = (updates: readonly Update[]) => updates.toSorted((a, b) => a.text.localeCompare(b.text));

longTest(
  "what is stored of BGP is what bgpdump reads of the daemons' own files, but for a gap that is stated",
  async () => {
    const { platform, routers } = world.parts;
    const experiment = new LabExperiment(world, "changes", changes);
    const beginUs = 1000 * Date.now();
    experiment.start();
    await experiment.reached('"kind":"done","action":4');
    await Bun.sleep(2500);
    await platform.killCollector();
    await experiment.reached('"kind":"asked","action":5');
    await Bun.sleep(2500);
    platform.startCollector(routers.mrtFiles());
    expect((await experiment.ended()).code).toBe(0);
    const since = (updates: readonly Update[]) => updates.filter(({ timeUs }) => timeUs >= beginUs - 1e6);
    const stored = async (router: string) => since(await storedUpdates(world, router));
    const noted = async (node: "bird" | "frr" | "gobgp") => since(await notedUpdates(routers.mrtOf(node)));
    for (const node of ["bird", "frr", "gobgp"] as const) {
      await until(`the end at ${node}`, async () => standing(await noted(node)).length === 0);
    }
    for (const node of ["bird", "frr"] as const) {
      const theirs = await noted(node);
      const own = await until("all rows", async () => {
        const rows = await stored(routerIds[node]);
        return rows.length >= theirs.length && rows;
      });
      // BIRD writes whole seconds, FRR microseconds; nothing is lost with the collector: the file is still there.
      expect(own).toEqual(theirs);
      expect(own.length).toBeGreaterThan(changes.length);
    }
    const router = managementAddress("gobgp");
    const { gaps } = await platform.collectorStatus<Status>();
    const gap = gaps.find((one) => one.router === router);
    const [fromUs = 0, toUs = 0] = [gap?.from, gap?.to].map((time) => 1000 * Date.parse(String(time)));
    const theirs = await noted("gobgp");
    const [before, after] = [
      theirs.filter(({ timeUs }) => timeUs < fromUs),
      theirs.filter(({ timeUs }) => timeUs > toUs),
    ];
    expect(theirs.length - before.length - after.length).toBeGreaterThan(0);
    const table = standing(theirs.filter(({ timeUs }) => timeUs < toUs));
    const whole = before.length + table.length + after.length;
    const own = await until("all rows of GoBGP", async () => {
      const rows = await stored(router);
      return rows.length >= whole && rows;
    });
    // Behind the gap, the router begins with the table that it has then.
    expect(own.slice(0, before.length)).toEqual(before);
    expect(byText(own.slice(before.length, before.length + table.length))).toEqual(byText(table));
    expect(own.slice(before.length + table.length)).toEqual(after);
  },
);

/** Runs an aim at two sites to its end, and reads the routers' tables meanwhile. */
async function aimed(name: string, goals: readonly string[]) {
  const asns = Object.fromEntries(stubs.map(({ target, asn }) => [target, asn]));
  const aim = { sites: ["ixp-1", "ixp-2"], goals, asns, wait: 6 };
  const sites = { west: "ixp-1", east: "ixp-2" };
  const experiment = new LabExperiment(world, name, { aim }, targets, sites);
  experiment.start(5, "aim");
  const tables = new Map<number, ReadonlyMap<string, string | null>>();
  const stateNow = async () => {
    const journal = await experiment.journal().catch(() => "");
    const count = (kind: string) => journal.split(`"kind":"${kind}"`).length - 1;
    const [rounds, planned, asked] = [count("round"), count("planned"), count("asked")];
    // A catchment is asked for, and its announcements stand until it is done.
    return { rounds, isLooking: planned > rounds && asked > count("done"), asked };
  };
  const read = { isOver: false };
  const ended = experiment.ended().finally(() => {
    read.isOver = true;
  });
  await until(
    "the end of the aim",
    async () => {
      const before = await stateNow();
      if (before.isLooking) {
        const truth = await forwardingTruth(world.parts.net);
        const after = await stateNow();
        if (after.isLooking && after.asked === before.asked) {
          tables.set(before.rounds, truth);
        }
      }
      return read.isOver;
    },
    300_000,
  );
  const { rounds } = await stateNow();
  for (let round = 0; round < rounds; round++) {
    expect(caught(await experiment.round(round))).toEqual(new Map(tables.get(round)));
  }
  return { ...(await ended), rounds, last: tables.get(rounds - 1) };
}

test("an aim ends where the routers' tables meet its goals", async () => {
  const share = (at: ReadonlyMap<string, string | null> | undefined) =>
    [...(at?.values() ?? [])].filter((site) => site === "west").length / stubs.length;
  const near = await aimed("near", ["none of AS64708 at ixp-1", "ixp-1: at least 30 %"]);
  expect([near.code, near.said]).toEqual([0, expect.stringContaining("Ended: goals met in round")]);
  expect(near.rounds).toBeGreaterThan(1);
  expect(near.rounds).toBeLessThanOrEqual(2 + 1 + 6);
  expect(near.last?.get("2001:db8:a8::1")).toBe("east");
  expect(share(near.last)).toBeGreaterThanOrEqual(0.3);
  process.stderr.write(`${near.rounds} rounds\n`);
});

longTest("an aim whose goals are out of reach says so", async () => {
  // The first stub buys from one upstream, which is that of the first exchange, and so do two more.
  const far = await aimed("far", ["none of AS64700 at ixp-1", "ixp-1: at least 30 %"]);
  expect([far.code, far.said]).toEqual([1, expect.stringContaining("Ended: goals cannot be met together")]);
});

const turnsAtSec = inTier({ usual: [6], long: [6, 12] });
const turns = [
  { at: 0, announce: { sites: ["ixp-1"] } },
  { at: 4, probe: { watch: { every: "1ms", for: inTier({ usual: "9s", long: "15s" }) } } },
  ...turnsAtSec.flatMap((at) => [
    { at, withdraw: { sites: ["ixp-1"] } },
    { at: at + 1, announce: { sites: ["ixp-2"] } },
    { at: at + 3, withdraw: { sites: ["ixp-2"] } },
    { at: at + 4, announce: { sites: ["ixp-1"] } },
  ]),
];
const lossPattern =
  /^(\d+) probes lost, the one before received at (\w+); answered again (\S+) s later, at (\w+)$/;

test("1,000 probes a second lose answers while the routers have no way, to the millisecond", async () => {
  const [stub] = stubs;
  await using watch = await RouteWatch.start(world.parts.net);
  const experiment = new LabExperiment(world, "turns", turns, [stub?.target ?? ""]);
  experiment.start();
  expect((await experiment.ended()).code).toBe(0);
  const losses = (await experiment.timeLine()).filter(({ event }) => event === "loss");
  const windows = losses.map(({ time_ns: timeNs, detail }) => {
    const [, lost, before, laterSec, after] = lossPattern.exec(detail) ?? [];
    const startUs = Number(timeNs) / 1000;
    return { lost: Number(lost), before, after, startUs, endUs: startUs + 1e6 * Number(laterSec) };
  });
  // A machine that is busy loses answers by itself, at times for long; the same site answers before and after then.
  const found = windows.filter(({ lost, before, after }) => lost > 100 && before !== after);
  const outages = watch.outages(stub?.node ?? "").filter(({ endUs }) => endUs !== null);
  expect(found.map(({ before, after }) => `${before} ${after}`)).toEqual([
    ...turnsAtSec.flatMap(() => ["west east", "east west"]),
  ]);
  expect(outages).toHaveLength(found.length);
  const differences = found.map(({ startUs, endUs }, i) => [
    Math.abs(startUs - (outages[i]?.startUs ?? 0)) / 1000,
    Math.abs(endUs - (outages[i]?.endUs ?? 0)) / 1000,
  ]);
  process.stderr.write(
    `milliseconds from the tables: ${differences.map((pair) => pair.join(" and ")).join(", ")}\n`,
  );
  // A sender that has to wait for the machine knows no better than its pause.
  const sorted = differences.flat().sort((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(5);
});
