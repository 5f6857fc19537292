import { expect, test } from "bun:test";
import { recoveryOf } from "./recovery.ts";

const second = { partition: 3, first: 0n, next: 5n };
const ranges = [{ partition: 0, first: 10n, next: 20n }, second];
const batch = { token: "t", ranges };

function positions(...committed: readonly (readonly [number, bigint])[]) {
  return committed.map(([partition, offset]) => ({ partition, committed: offset, end: 100n }));
}

test("without a journal there is nothing to do", () => {
  expect(recoveryOf(null, positions([0, 10n]))).toEqual({ kind: "none" });
  expect(recoveryOf({ token: "t", ranges: [] }, positions([0, 10n]))).toEqual({ kind: "none" });
});

test("a batch of which nothing is committed is inserted again", () => {
  expect(recoveryOf(batch, positions([0, 10n], [3, 0n]))).toEqual({ kind: "again", batch });
});

test("a batch that is committed is done, also when the group went on", () => {
  expect(recoveryOf(batch, positions([0, 20n], [3, 5n]))).toEqual({ kind: "none" });
  expect(recoveryOf(batch, positions([0, 70n], [3, 5n]))).toEqual({ kind: "none" });
});

test("one committed range shows that the others are stored", () => {
  expect(recoveryOf(batch, positions([0, 20n], [3, 0n]))).toEqual({
    kind: "stored",
    uncommitted: [second],
  });
});

test("a group that was set back, or has lost a partition, starts over", () => {
  expect(recoveryOf(batch, positions([0, 4n], [3, 0n]))).toEqual({ kind: "none" });
  expect(recoveryOf(batch, positions([3, 0n]))).toEqual({ kind: "none" });
  expect(recoveryOf(batch, positions([0, 15n], [3, 5n]))).toEqual({ kind: "none" });
});
