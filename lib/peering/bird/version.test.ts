import { expect, test } from "bun:test";
import {
  birdVersionOf,
  isSupported,
  isUpToDate,
  knowsAspa,
  unknownAttributesOf,
  unknownTypesOf,
} from "./version.ts";

const judged = (text: string): unknown => {
  const version = birdVersionOf(text);
  return version && [unknownAttributesOf(version), isUpToDate(version)];
};

test.each([
  ["2.0.12", "pass", false],
  ["2.13.1", "pass", false],
  ["2.14", "clear", false],
  ["2.18.3", "clear", false],
  ["2.19", "clear", true],
  ["2.19.2+deb13u1", "clear", true],
  ["3.0.0", "refuse", false],
  ["3.3.1", "refuse", false],
  ["3.3.2", "refuse", true],
  ["4.0", "refuse", true],
])("unknown attributes in BIRD %s: %s; no known hole: %p", (text, can, isGood) => {
  expect(judged(text)).toEqual([can, isGood]);
});

test("the third line is not for an exchange server", () => {
  const versions = ["2.0.12", "2.20.0", "3.1.7", "3.4.0"];
  expect(versions.filter((text) => !isSupported(birdVersionOf(text) ?? [0, 0, 0]))).toEqual([
    "3.1.7",
    "3.4.0",
  ]);
});

test("ASPA is known from 2.16 and 3.1 on", () => {
  const versions = ["2.0.12", "2.15.1", "2.16", "2.20.0", "3.0.4", "3.1.0", "3.4.0"];
  expect(versions.filter((text) => knowsAspa(birdVersionOf(text) ?? [0, 0, 0]))).toEqual([
    ...["2.16", "2.20.0", "3.1.0", "3.4.0"],
  ]);
});

test.each(["", "2", "two", "2.x", "2.0.12 evil"])("%j is not a version", (text) => {
  expect(birdVersionOf(text)).toBeNull();
});

test.each([
  ["2.17.5", false],
  ["3.4.0", true],
])("BIRD %s: types that it knows get no second name", (text, hasLast) => {
  const types = unknownTypesOf(birdVersionOf(text) ?? [0, 0, 0]);
  expect(types).toContain(99);
  expect(types).toContain(255);
  expect(types.filter((type) => [1, 2, 7, 14, 22, 32, 35].includes(type))).toEqual([]);
  expect(types.includes(254)).toBe(hasLast);
});

test("filters of old BIRDs see none of them", () => {
  expect(unknownTypesOf([2, 13, 1])).toEqual([]);
});
