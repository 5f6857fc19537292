import { expect, test } from "bun:test";
import { afterRun, noLoss, type RunLoss } from "./loss-detector.ts";

const rule = { threshold: 0.1, runs: 3 };

function changes(runs: readonly RunLoss[]): string[] {
  let state = noLoss;
  return runs.flatMap((run, at) => {
    const next = afterRun(rule, state, run);
    state = next.state;
    return next.change === null ? [] : [`${at} ${next.change}`];
  });
}

const good: RunLoss = { sent: 100, lost: 1 };
const bad: RunLoss = { sent: 100, lost: 30 };
const silent: RunLoss = { sent: 0, lost: 0 };

test("four runs of 30 % loss are raised once, and cleared once when it is good again", () => {
  const runs = [good, good, good, bad, bad, bad, bad, good, good, good, good, good, good, good];
  expect(changes(runs)).toEqual(["4 raised", "11 cleared"]);
});

test("a few probes prove nothing", () => {
  expect(changes([{ sent: 3, lost: 1 }])).toEqual([]);
});

test("an agent that is silent changes nothing, either way", () => {
  expect(changes([bad, silent, silent, bad, silent])).toEqual(["0 raised"]);
});

test("a week of 1 % loss, by chance, says nothing", () => {
  let state = 1;
  const luck = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const runs = Array.from({ length: 2016 }, () => ({
    sent: 20,
    lost: Array.from({ length: 20 }, luck).filter((one) => one < 0.01).length,
  }));
  expect(changes(runs)).toEqual([]);
});
