import { expect, test } from "bun:test";
import { PathsSeen } from "./new-paths.ts";

/** `3w` = at time 3 it came to west; each capital letter is another router. */
function answers(text: string, target = "203.0.113.1") {
  return text.split(" ").map((word) => ({
    ...{ sender: "west", target, ttl: 64, replyTtl: 50, sentNs: BigInt(Number.parseInt(word, 10)) },
    ...{ receiver: word.replace(/[^a-z]/g, ""), router: word.replace(/[^A-Z]/g, "") },
  }));
}

const told = (found: ReturnType<PathsSeen["take"]>) =>
  found.map(({ answer, before }) => `${answer.sentNs} ${before.receiver}>${answer.receiver}`);

test("an answer at another receiver, by another router or from farther away is by a new path", () => {
  const seen = new PathsSeen();
  expect(told(seen.take(answers("1w 2w 3e 4e 5w")))).toEqual(["3 w>e", "5 e>w"]);
  expect(told(seen.take(answers("6wA 7wA")))).toEqual(["6 w>w"]);
  expect(seen.take(answers("8wA").map((one) => ({ ...one, replyTtl: 49 })))).toHaveLength(1);
  expect(seen.take(answers("9e", "203.0.113.2"))).toEqual([]);
});

test("what comes late is compared with the answer before it, and moves the change forward", () => {
  const seen = new PathsSeen();
  expect(told(seen.take(answers("1w 100e")))).toEqual(["100 w>e"]);
  expect(told(seen.take(answers("10w 20e 30e")))).toEqual(["20 w>e"]);
  expect(told(seen.take(answers("50e 110e 15w")))).toEqual([]);
});

test("flows that flap are remembered up to a limit", () => {
  const seen = new PathsSeen();
  const flapping = Array.from({ length: 100 }, (_, i) => `${i}${i % 2 === 0 ? "w" : "e"}`).join(" ");
  expect(seen.take(answers(flapping))).toHaveLength(99);
  expect(told(seen.take(answers("100w")))).toEqual(["100 e>w"]);
});
