import { expect, test } from "bun:test";
import { until } from "../../tests/run/until.ts";
import { repeatWork } from "./repeat-work.ts";

const dayMs = 86_400_000;

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
