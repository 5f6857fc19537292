import { expect, spyOn, test } from "bun:test";
import { until } from "../../../tests/run/until.ts";
import { repeatWork } from "./repeat-work.ts";

const dayMs = 86_400_000;
const isLong = ([, ms]: readonly unknown[]) => Number(ms) >= dayMs;

test("of failures in a row the first is said, and the next one after a success", async () => {
  const said: unknown[] = [];
  let looks = 0;
  await using _work = repeatWork({
    look: () => {
      looks++;
      return looks === 3 ? Promise.resolve(1) : Promise.reject(looks);
    },
    complain: (error) => said.push(error),
    waitMs: 1,
  });
  await until(() => looks > 5, 1);
  expect(said).toEqual([1, 4]);
});

test("the first success after failures is said, and none after that", async () => {
  const said: string[] = [];
  let looks = 0;
  await using _work = repeatWork({
    look: () => {
      looks++;
      return [2, 3, 6].includes(looks) ? Promise.reject(looks) : Promise.resolve(1);
    },
    complain: (error) => said.push(`failed ${error}`),
    rejoice: () => said.push(`well ${looks}`),
    waitMs: 1,
  });
  await until(() => looks > 8, 1);
  expect(said).toEqual(["failed 2", "well 4", "failed 6", "well 7"]);
});

test("each further failure doubles the wait, up to the longest; a success makes it short again", async () => {
  let looks = 0;
  const timers = spyOn(globalThis, "setTimeout");
  await using work = repeatWork({
    look: () => {
      looks++;
      return looks === 6 ? Promise.resolve(dayMs) : Promise.reject(looks);
    },
    complain: () => {},
    waitMs: dayMs,
    waitMsMax: 5 * dayMs,
  });
  for (let asked = 1; asked < 8; asked += 1) {
    await until(() => looks === asked && timers.mock.calls.filter(isLong).length === asked, 1);
    work.wake();
  }
  const waits = timers.mock.calls.filter(isLong).map(([, ms]) => Number(ms) / dayMs);
  timers.mockRestore();
  expect(waits).toEqual([1, 2, 4, 5, 5, 1, 1]);
});

test("a call to wake ends the wait, also one that comes during a look", async () => {
  let looks = 0;
  await using work = repeatWork({
    look: async () => {
      looks++;
      if (looks === 2) {
        work.wake();
      }
      return dayMs;
    },
    complain: () => {},
    waitMs: dayMs,
    waitsFirst: true,
  });
  await Bun.sleep(5);
  expect(looks).toBe(0);
  work.wake();
  await until(() => looks === 1, 1);
  work.wake();
  await until(() => looks === 3, 1);
});

test("disposing waits for the look under way, and says none of its failure", async () => {
  const said: unknown[] = [];
  const { promise, reject } = Promise.withResolvers<number>();
  const work = repeatWork({ look: () => promise, complain: (error) => said.push(error), waitMs: 1 });
  const ended = work[Symbol.asyncDispose]();
  expect(Bun.peek.status(ended)).toBe("pending");
  reject(new Error("too late"));
  await ended;
  expect(said).toEqual([]);
});
