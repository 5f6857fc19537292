import { expect, test } from "bun:test";
import { ClockWatch } from "../../../../lib/measuring/probing/clock-watch.ts";
import { HealthWatch, type Observation } from "./health.ts";

const well: Observation = {
  atMs: 0,
  ended: [],
  captured: 0,
  lost: 0,
  consumerAway: false,
  producerAway: false,
  gatewayAway: false,
  spoolFull: false,
  killSwitch: false,
  killed: false,
  paused: false,
  hostHold: null,
};

function healthAfter(...observations: Partial<Observation>[]) {
  const watch = new HealthWatch();
  for (const observation of observations) {
    watch.observe({ ...well, ...observation });
  }
  return watch.health();
}

test("an agent that nothing was seen of yet, and one that does its work, are ok", () => {
  expect(healthAfter()).toEqual({ status: "ok", reasons: [], holds: [] });
  expect(healthAfter({}).status).toBe("ok");
});

test("a worker that has ended makes it unhealthy", () => {
  expect(healthAfter({ ended: ["receiver eth0"], consumerAway: true })).toEqual({
    status: "unhealthy",
    reasons: ["receiver eth0 has ended", "the broker cannot be read from"],
    holds: [],
  });
});

test("losses of more than a thousandth in the last minute degrade it, older ones do not", () => {
  expect(healthAfter({}, { atMs: 1000, captured: 9990, lost: 10 }).status).toBe("ok");
  expect(healthAfter({}, { atMs: 1000, captured: 9980, lost: 20 }).reasons).toEqual([
    "capture lost 0.20 % of the packets of a minute",
  ]);
  const lossLongAgo = [{}, { atMs: 1000, captured: 100, lost: 50 }];
  expect(healthAfter(...lossLongAgo, { atMs: 60_900, captured: 200, lost: 50 }).status).toBe("degraded");
  expect(healthAfter(...lossLongAgo, { atMs: 61_000, captured: 200, lost: 50 }).status).toBe("ok");
});

const waiting = [
  "consumerAway",
  "producerAway",
  "gatewayAway",
  "spoolFull",
  "killSwitch",
  "killed",
  "paused",
] as const;
test.each(["consumerAway", "gatewayAway"] as const)(
  "%s makes it unhealthy until both were reached once",
  (what) => {
    expect(healthAfter({ [what]: true }).status).toBe("unhealthy");
    expect(healthAfter({ consumerAway: true }, { gatewayAway: true }).status).toBe("unhealthy");
  },
);

test.each(waiting)("%s degrades it", (what) => {
  expect(healthAfter({}, { [what]: true }).status).toBe("degraded");
  expect(healthAfter({ [what]: true }, {}).status).toBe("ok");
});

test("who inhibits sending is a field, and among the reasons", () => {
  const untilMs = Date.UTC(2026, 0, 2);
  expect(
    healthAfter({ paused: true, hostHold: { words: "paused by its host", untilMs: null } }),
  ).toMatchObject({
    reasons: [
      "an operator paused this agent; nothing is sent",
      "the agent is paused by its host; nothing is sent",
    ],
    holds: [
      { by: "operator", reason: "an operator paused this agent" },
      { by: "host", reason: "the agent is paused by its host" },
    ],
  });
  const atLimit = { words: "at its host's limit", untilMs };
  expect(
    healthAfter({ killSwitch: true, killed: true, hostHold: atLimit }).holds.map(({ by }) => by),
  ).toEqual(["kill_switch", "platform", "host_limits"]);
  expect(healthAfter({ consumerAway: true }).holds).toEqual([]);
});

test("steps of the clock are counted, either way, and slow drift is not", () => {
  const watch = new ClockWatch();
  for (const [realtimeMs, monotonicMs] of [
    [1000, 0],
    [2010, 1000],
    [3020, 2000],
    [9000, 3000],
    [9900, 4000],
  ] as const) {
    watch.look(realtimeMs, monotonicMs);
  }
  expect(watch.steps).toBe(2);
});
