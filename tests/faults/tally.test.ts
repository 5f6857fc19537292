import { expect, test } from "bun:test";
import { noSums, sumUp, Tally } from "./tally.ts";

function sums(of: (tally: Tally) => void) {
  const tally = new Tally(3);
  tally.want(0, 2);
  of(tally);
  const [once, again] = [noSums(), noSums()];
  sumUp(tally, { at: () => once, between: () => again });
  return { ...once, repeated: again.repeated };
}

test("a probe with a packet and a row is well; one that nobody accepted is not looked at", () => {
  const seen = sums((tally) => {
    for (const index of [0, 1, 2]) {
      tally.sent(index, 1000);
      tally.heard(index);
      tally.stored(index, 1);
    }
  });
  expect(seen).toEqual({ ...noSums(), sent: 2 });
});

test("what was never sent, sent again, not answered, or stored twice is counted", () => {
  const lost = sums((tally) => {
    tally.sent(0, 1000);
    tally.sent(0, 2000);
    tally.sent(0, 3000);
    tally.heard(0);
  });
  expect(lost).toEqual({ ...noSums(), sent: 1, neverSent: 1, repeated: 2, lostReplies: 1 });
  const unanswered = sums((tally) => tally.sent(0, 1000));
  expect(unanswered).toEqual({ ...noSums(), sent: 1, neverSent: 1, unanswered: 1 });
  const doubled = sums((tally) => {
    tally.sent(0, 1000);
    tally.sent(1, 1000);
    tally.sent(1, 2000);
    tally.stored(0, 3);
    tally.stored(1, 2);
  });
  expect(doubled).toEqual({ ...noSums(), sent: 2, repeated: 1, doubledRows: 2 });
});
