import { expect, test } from "bun:test";
import { Turns } from "./turns.ts";

test("callers are served in rounds, however many turns one of them waits for", async () => {
  const turns = new Turns();
  const served: string[] = [];
  const take = async (caller: string) => {
    await turns.take(caller);
    served.push(caller);
  };
  await Promise.all([...["a", "a", "a", "a"].map(take), ...["b", "b"].map(take), take("c")]);
  expect(served.join("")).toBe("abcabaa");
  expect(turns.waiting).toBe(0);
});

test("between two turns the event loop is free", async () => {
  const turns = new Turns();
  let looks = 0;
  let isOver = false;
  const look = () => {
    looks++;
    if (!isOver) {
      setImmediate(look);
    }
  };
  setImmediate(look);
  const seen: number[] = [];
  const take = async () => {
    await turns.take("a");
    seen.push(looks);
  };
  await Promise.all(Array.from({ length: 20 }, take));
  isOver = true;
  // No two turns without a look between them.
  expect(new Set(seen).size).toBe(20);
});
