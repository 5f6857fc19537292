import { expect, test } from "bun:test";
import { convergenceOf } from "./convergence.ts";

test.each<[string, number | null, number]>([
  ["aaaa", 0, 3],
  ["aaa", null, 2],
  ["abbbb", 1, 3],
  ["abababab", null, 0],
  // Nothing seen neither ends a row nor makes it longer.
  ["a.a.a", null, 2],
  ["a.a.a.a", 0, 3],
  ["....", null, 0],
  ["", null, 0],
])("%s has converged since interval %p", (seen, since, quiet) => {
  expect(convergenceOf([...seen].map((one) => (one === "." ? null : one)))).toEqual({ since, quiet });
});
