import { expect, test } from "bun:test";
import { advance, type CampaignEvent, type CampaignState, editedSchedule, newCampaign } from "./advance.ts";
import type { Schedule } from "./schedule.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const minute = 60_000;
const plain: Schedule = {
  timing: { kind: "every", everySec: 60 },
  startMs: start,
  firstRun: 0,
  stopMs: null,
  runsMax: null,
  slipMs: 5000,
  onMissed: "skip",
  overlap: "skip",
};

const time: CampaignEvent = { kind: "time" };
const pause: CampaignEvent = { kind: "pause" };
const resume: CampaignEvent = { kind: "resume" };
const ended = (number: number): CampaignEvent => ({ kind: "runEnded", number });

/** Plays events at seconds after the start; the actions in short: `run 3`, `pass 1-2 missed`. */
function play(schedule: Schedule, events: readonly (readonly [number, CampaignEvent])[]) {
  let state = newCampaign(schedule);
  const done: string[] = [];
  for (const [second, event] of events) {
    const next = advance(schedule, state, event, start + second * 1000);
    state = next.state;
    done.push(...next.actions.map(inShort));
  }
  return { state, done };
}

function inShort(action: ReturnType<typeof advance>["actions"][number]): string {
  switch (action.kind) {
    case "run":
      return `run ${action.run.number} at ${(action.run.plannedMs - start) / 1000}`;
    case "pass":
      return `pass ${action.first.number}-${action.last.number} ${action.reason}`;
    case "cancel":
      return `cancel ${action.number}`;
    case "end":
      return `end ${action.reason}`;
  }
}

test("a run comes once, and the next one at its own time, however late this one was", () => {
  const { done } = play(plain, [
    [-1, time],
    [0, time],
    [1, time],
    [40, ended(0)],
    [64, time],
    [110, ended(1)],
    [120, time],
  ]);
  expect(done).toEqual(["run 0 at 0", "run 1 at 60", "run 2 at 120"]);
});

test("missed runs are passed over in one piece, and the next comes on time", () => {
  const { done, state } = play(plain, [[190, time]]);
  expect(done).toEqual(["pass 0-3 missed"]);
  expect(state.nextMs).toBe(start + 4 * minute);
  expect(play(plain, [[183, time]]).done).toEqual(["pass 0-2 missed", "run 3 at 180"]);
});

test("with once, the latest of the missed runs comes at once", () => {
  expect(play({ ...plain, onMissed: "once" }, [[230, time]]).done).toEqual([
    "pass 0-2 missed",
    "run 3 at 180",
  ]);
});

test("a run beside another is passed over, or waits for it", () => {
  const overlapping = [
    [0, time],
    [60, time],
    [120, time],
    [130, ended(0)],
    [140, ended(0)],
  ] as const;
  expect(play(plain, overlapping).done).toEqual(["run 0 at 0", "pass 1-1 overlap", "pass 2-2 overlap"]);
  expect(play({ ...plain, overlap: "queue" }, overlapping).done).toEqual([
    "run 0 at 0",
    "pass 2-2 overlap",
    "run 1 at 60",
  ]);
});

test("it ends after its last run, and not while that is under way", () => {
  const twice = { ...plain, runsMax: 2 };
  const begun = [
    [0, time],
    [1, ended(0)],
    [60, time],
  ] as const;
  expect(play(twice, begun).state.phase).toBe("active");
  expect(play(twice, [...begun, [61, ended(1)]]).done.at(-1)).toBe("end finished");
  expect(play({ ...plain, stopMs: start + 2 * minute }, [...begun, [61, ended(1)]]).state.phase).toBe(
    "ended",
  );
  expect(play({ ...plain, stopMs: start }, [[0, time]]).done).toEqual(["end finished"]);
});

test("what was due while it was paused is passed over as such", () => {
  const { done } = play(plain, [
    [0, time],
    [1, ended(0)],
    [2, pause],
    [60, time],
    [150, resume],
    [150, time],
    [180, time],
  ]);
  expect(done).toEqual(["run 0 at 0", "pass 1-2 paused", "run 3 at 180"]);
});

test("with once, an only run that was due while it was paused comes when it goes on, however late", () => {
  const events = [
    [-1, pause],
    [7200, resume],
    [7200, time],
  ] as const;
  const only: Schedule = { ...plain, runsMax: 1, onMissed: "once" };
  expect(play(only, events).done).toEqual(["run 0 at 0"]);
  expect(play({ ...only, onMissed: "skip" }, events).done).toEqual(["pass 0-0 paused", "end finished"]);
  expect(play({ ...only, runsMax: 2 }, events).done).toEqual(["pass 0-1 paused", "end finished"]);
});

test("stop cancels what is under way and forgets what waits; then nothing comes", () => {
  const { done } = play({ ...plain, overlap: "queue" }, [
    [0, time],
    [60, time],
    [61, { kind: "stop" }],
    [62, ended(0)],
    [120, time],
    [121, resume],
  ]);
  expect(done).toEqual(["run 0 at 0", "cancel 0", "pass 1-1 stopped", "end stopped"]);
});

test("an edit keeps the number of the next run, and the times of an unchanged interval", () => {
  const { state } = play(plain, [
    [0, time],
    [1, ended(0)],
  ]);
  const edit = (changed: Schedule, second: number): CampaignState => {
    const nowMs = start + second * 1000;
    return advance(editedSchedule(changed, state, nowMs), state, { kind: "edit" }, nowMs).state;
  };
  expect(edit(plain, 10)).toEqual(state);
  expect(edit({ ...plain, timing: { kind: "every", everySec: 90 } }, 10)).toMatchObject({
    nextNumber: 1,
    nextMs: start + 90_000,
  });
  expect(edit({ ...plain, stopMs: start + 30_000 }, 10).phase).toBe("ended");
});
test("a run may be begun for as long as it may be late, from its decision on", () => {
  const { actions } = advance(plain, newCampaign(plain), time, start + 1000);
  expect(actions).toEqual([{ kind: "run", run: { number: 0, plannedMs: start }, latestMs: start + 6000 }]);
});

test("an event begins a run, one after another, until the limit of runs or the end; a pause holds it", () => {
  const happened: CampaignEvent = { kind: "happened" };
  const on: Schedule = { ...plain, timing: { kind: "on", perHourMax: 6 }, runsMax: 2 };
  const runs = play(on, [
    [100, time],
    [200, happened],
    // The first one is in progress.
    [210, happened],
    [220, ended(0)],
    [230, pause],
    [240, happened],
    [250, resume],
    [260, happened],
    [270, ended(1)],
    [280, happened],
  ]);
  expect(runs.done).toEqual(["run 0 at 200", "run 1 at 260", "end finished"]);
  const stopped = play({ ...on, runsMax: null, stopMs: start + 300_000 }, [
    [200, happened],
    [300, time],
    [310, ended(0)],
    [320, happened],
  ]);
  expect(stopped.done).toEqual(["run 0 at 200", "end finished"]);
  const idle = play({ ...on, stopMs: start + 300_000 }, [[300, time]]);
  expect(idle.done).toEqual(["end finished"]);
});
