import { expect, test } from "bun:test";
import { Together } from "./together.ts";

/** Statements that end when the test says so. */
function statements() {
  const sent: { readonly asks: readonly number[]; readonly end: (error?: Error) => void }[] = [];
  const answer = (asks: readonly number[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<(ask: number) => string>();
    const answerOf = (ask: number) => {
      if (ask < 0) {
        throw new Error(`not ${ask}`);
      }
      return `the answer to ${ask}`;
    };
    sent.push({ asks, end: (error) => (error === undefined ? resolve(answerOf) : reject(error)) });
    return promise;
  };
  const next = async (count: number) => {
    while (sent.length < count) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return sent[count - 1];
  };
  return { answer, next, sent };
}

test("who asks at once shares a statement, who asks later the next one", async () => {
  const { answer, next, sent } = statements();
  const together = new Together({ asksMax: 10, underWayMax: 1, answer });
  const asks = [1, 2].map((ask) => together.ask(ask));
  const first = await next(1);
  asks.push(together.ask(3), together.ask(4));
  first?.end();
  (await next(2))?.end();
  expect(await Promise.all(asks)).toEqual([1, 2, 3, 4].map((ask) => `the answer to ${ask}`));
  expect(sent.map((statement) => statement.asks)).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test("a statement takes so many, and so many are under way", async () => {
  const { answer, next, sent } = statements();
  const together = new Together({ asksMax: 2, underWayMax: 2, answer });
  const asks = [1, 2, 3, 4, 5].map((ask) => together.ask(ask));
  const second = await next(2);
  expect(sent.map((statement) => statement.asks)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  second?.end();
  expect((await next(3))?.asks).toEqual([5]);
  for (const { end } of sent) {
    end();
  }
  expect(await Promise.all(asks)).toHaveLength(5);
});

test("one fails alone, a statement for all who shared it, and the next goes on", async () => {
  const { answer, next } = statements();
  const together = new Together({ asksMax: 2, underWayMax: 1, answer });
  const asks = [1, -2, 3, 4, 5].map((ask) => together.ask(ask));
  const all = Promise.allSettled(asks);
  (await next(1))?.end();
  (await next(2))?.end(new Error("away"));
  (await next(3))?.end();
  expect((await all).map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)))).toEqual([
    "the answer to 1",
    "Error: not -2",
    "Error: away",
    "Error: away",
    "the answer to 5",
  ]);
});
