import { expect, test } from "bun:test";
import { birdVersionOf, clearsUnknownAttributes, isUpToDate, unknownTypes } from "./version.ts";

const judged = (text: string) => {
  const version = birdVersionOf(text);
  return version && [clearsUnknownAttributes(version), isUpToDate(version)];
};

test.each([
  ["2.0.12", false, false],
  ["2.13.1", false, false],
  ["2.14", true, false],
  ["2.18.3", true, false],
  ["2.19", true, true],
  ["2.19.2+deb13u1", true, true],
  ["3.0.0", true, false],
  ["3.3.1", true, false],
  ["3.3.2", true, true],
  ["4.0", true, true],
])("BIRD %s clears unknown attributes: %p; has no known hole: %p", (text, clears, isGood) => {
  expect(judged(text)).toEqual([clears, isGood]);
});

test.each(["", "2", "two", "2.x", "2.0.12 evil"])("%j is not a version", (text) => {
  expect(birdVersionOf(text)).toBeNull();
});

test("types that BIRD knows have no second name", () => {
  expect(unknownTypes).toContain(99);
  expect(unknownTypes).toContain(255);
  expect(unknownTypes.filter((type) => [1, 2, 7, 14, 32, 35].includes(type))).toEqual([]);
});
