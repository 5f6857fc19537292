import { expect, test } from "bun:test";
import { actionCommunities } from "./route-actions.ts";

const nothing = { not_to: [], only_to: [], prepend_to: {}, no_export: false, graceful_shutdown: false };

test("who asks for nothing sends no community", () => {
  expect(actionCommunities(64_500, nothing)).toEqual({ standard: [], large: [] });
});

test("each request has its community, sorted", () => {
  const all = {
    ...{ not_to: [64_499, 64_496], only_to: [64_497], prepend_to: { "4200000001": 3, "64496": 1 } },
    ...{ no_export: true, graceful_shutdown: true },
  };
  expect(actionCommunities(64_500, all)).toEqual({
    standard: [
      [65_535, 0],
      [65_535, 65_281],
    ],
    large: [
      [64_500, 10, 64_496],
      [64_500, 10, 64_499],
      [64_500, 11, 64_497],
      [64_500, 21, 64_496],
      [64_500, 23, 4_200_000_001],
    ],
  });
});
