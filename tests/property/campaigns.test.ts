/**
 * A year of campaigns in seconds: three gateways on one journal, killed between any two of their steps, under a clock
 * that is set by an hour. Each run of the plan comes once or is passed over once, and what comes, comes in time.
 */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { advance, newCampaign, stepKey } from "../../lib/measuring/campaign/advance.ts";
import { firstRun, type Run, runAfter, type Schedule } from "../../lib/measuring/campaign/schedule.ts";
import { agentOffsetMs } from "../../lib/measuring/campaign/spread.ts";

const dayMs = 86_400_000;
const start = Date.parse("2026-01-01T00:00:00Z");

const timings: readonly Schedule["timing"][] = [
  { kind: "every", everySec: 3600 },
  { kind: "every", everySec: 5400 },
  { kind: "every", everySec: 604_800 },
  { kind: "cron", pattern: "30 */6 * * *", zone: "Europe/Berlin" },
  { kind: "cron", pattern: "30 2 * * *", zone: "America/New_York" },
];

const schedules: fc.Arbitrary<Schedule> = fc.record({
  timing: fc.constantFrom(...timings),
  startMs: fc.constant(start),
  firstRun: fc.constant(0),
  stopMs: fc.constant(start + 365 * dayMs),
  runsMax: fc.constant(null),
  slipMs: fc.constant(30_000),
  onMissed: fc.constantFrom("skip", "once"),
  overlap: fc.constantFrom("skip", "queue"),
});

/** What survives any process: the journal, and who took which step by its key. */
class World {
  state;
  /** Runs that the journal says are to be done, until it says that they were. */
  readonly toDo = new Map<number, { readonly run: Run; readonly latestMs: number }>();
  readonly begun = new Map<string, { readonly run: Run; readonly atMs: number }>();
  readonly passed: { readonly first: number; readonly last: number; readonly reason: string }[] = [];
  readonly schedule: Schedule;
  /** Attempts, of which those under a known key did nothing. */
  attempts = 0;

  constructor(schedule: Schedule) {
    this.schedule = schedule;
    this.state = newCampaign(schedule);
  }

  /** One transaction. */
  write(event: Parameters<typeof advance>[2], nowMs: number): void {
    const { state, actions } = advance(this.schedule, this.state, event, nowMs);
    this.state = state;
    for (const action of actions) {
      if (action.kind === "run") {
        this.toDo.set(action.run.number, action);
      } else if (action.kind === "pass") {
        this.passed.push({ first: action.first.number, last: action.last.number, reason: action.reason });
      }
    }
  }

  /** Takes a step as the measurements' table does: a second time under the same key changes nothing. */
  take(run: Run, latestMs: number, nowMs: number): void {
    this.attempts++;
    const key = stepKey("c", run.number, 0);
    if (this.begun.has(key)) {
      return;
    }
    if (nowMs > latestMs) {
      this.passed.push({ first: run.number, last: run.number, reason: "missed" });
    } else {
      this.begun.set(key, { run, atMs: nowMs });
    }
  }
}

/** One look of a gateway that may be killed after any of its steps. `luck` gives numbers from 0 to 1. */
function look(world: World, nowMs: number, luck: () => number): void {
  world.write({ kind: "time" }, nowMs);
  for (const { run, latestMs } of [...world.toDo.values()]) {
    if (luck() < 0.02) {
      return;
    }
    world.take(run, latestMs, nowMs);
    if (luck() < 0.02) {
      return;
    }
    world.toDo.delete(run.number);
    world.write({ kind: "runEnded", number: run.number }, nowMs + 10_000);
  }
}

/** Seeded, so that a failure comes again. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The plan, as nobody's state knows it: counted from the start. */
function planned(schedule: Schedule): Run[] {
  const runs: Run[] = [];
  for (let next = firstRun(schedule); next !== null; next = runAfter(schedule, next)) {
    runs.push(next);
  }
  return runs;
}

/** A year, and a day after which the last run has ended. The clock is one that the gateways share. */
function live(world: World, luck: () => number, isClockSet: boolean): void {
  let nowMs = start - 1000;
  const endMs = start + 366 * dayMs;
  while (nowMs < endMs) {
    for (let gateway = 0; gateway < 3; gateway++) {
      look(world, nowMs, luck);
    }
    const chance = luck();
    const nextMs = world.state.nextMs ?? endMs;
    if (chance < 0.01) {
      nowMs += Math.floor(luck() * 2 * dayMs);
    } else if (isClockSet && chance < 0.03) {
      nowMs += luck() < 0.5 ? 3_600_000 : -3_600_000;
    } else {
      nowMs = Math.max(nowMs + 500, Math.min(nextMs + Math.floor(luck() * 900), nowMs + dayMs));
    }
  }
  look(world, endMs, () => 1);
}

function checkPlan(world: World, isClockSet: boolean): void {
  const { schedule, begun, passed } = world;
  const came = new Map([...begun.values()].map(({ run, atMs }) => [run.number, { run, atMs }]));
  const over = passed.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i),
  );
  const all = [...came.keys(), ...over].toSorted((a, b) => a - b);
  const plan = planned(schedule);
  expect(all).toEqual(plan.map(({ number }) => number));
  for (const { run, atMs } of came.values()) {
    expect(run.plannedMs).toBe(plan[run.number]?.plannedMs ?? Number.NaN);
    if (!isClockSet && schedule.onMissed === "skip") {
      expect(atMs - run.plannedMs).toBeWithin(0, 2 * schedule.slipMs + 1);
    }
  }
}

test("each run of a year comes once or is passed over once, through kills, outages and set clocks", () => {
  fc.assert(
    fc.property(schedules, fc.nat(), fc.boolean(), (schedule, seed, isClockSet) => {
      const world = new World(schedule);
      live(world, dice(seed), isClockSet);
      expect(world.state.phase).toBe("ended");
      checkPlan(world, isClockSet);
    }),
    { numRuns: 20 },
  );
});

test("while a gateway is up, a run starts within a second of its plan", () => {
  const schedule: Schedule = { ...plainEvery(3600), stopMs: start + 365 * dayMs };
  const world = new World(schedule);
  const luck = dice(7);
  for (let nowMs = start - 1000; world.state.nextMs !== null; ) {
    world.write({ kind: "time" }, nowMs);
    for (const { run, latestMs } of [...world.toDo.values()]) {
      world.take(run, latestMs, nowMs);
      world.toDo.delete(run.number);
      world.write({ kind: "runEnded", number: run.number }, nowMs);
    }
    nowMs = (world.state.nextMs ?? nowMs) + Math.floor(luck() * 900);
  }
  expect(world.begun.size).toBe(8760);
  expect(world.passed).toEqual([]);
  for (const { run, atMs } of world.begun.values()) {
    expect(atMs - run.plannedMs).toBeWithin(0, 1000);
    expect(run.plannedMs).toBe(start + run.number * 3_600_000);
  }
});

test("a step that was taken before its doer was killed is asked for again, and taken once", () => {
  const world = new World({ ...plainEvery(3600), stopMs: start + 365 * dayMs });
  live(world, dice(3), false);
  expect(world.attempts).toBeGreaterThan(world.begun.size);
  checkPlan(world, false);
});

test("an agent keeps its place in every run", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), fc.integer({ min: 1, max: 400_000 }), (campaign, agent, spreadMs) => {
      const offset = agentOffsetMs(campaign, agent, spreadMs);
      expect(offset).toBe(agentOffsetMs(campaign, agent, spreadMs));
      expect(offset).toBeWithin(0, spreadMs);
    }),
  );
});

function plainEvery(everySec: number): Schedule {
  return {
    timing: { kind: "every", everySec },
    startMs: start,
    firstRun: 0,
    stopMs: null,
    runsMax: null,
    slipMs: 30_000,
    onMissed: "skip",
    overlap: "skip",
  };
}
