import { expect, test } from "bun:test";
import { dscpOf, remarkedInWords, trafficClassOf } from "./traffic-class.ts";

test.each([
  ["EF", 46],
  ["ef", 46],
  ["AF41", 34],
  ["CS0", 0],
  ["CS7", 56],
  ["LE", 1],
  ["63", 63],
  ["0", 0],
])("DSCP %s is %i", (text, number) => {
  expect(dscpOf(text)).toBe(number);
});

test.each(["64", "-1", "AF44", "", "E F", "4.5", "toString"])("DSCP %p is none", (text) => {
  expect(dscpOf(text)).toBeNull();
});

test("what differs is named", () => {
  const sent = trafficClassOf(46, "ect0");
  expect(sent).toBe(0xba);
  expect(remarkedInWords(sent, sent)).toBe("");
  expect(remarkedInWords(sent, 0)).toBe("remarked: DSCP CS0, ECN not-ect");
  expect(remarkedInWords(sent, trafficClassOf(46, "ce"))).toBe("remarked: ECN ce");
  expect(remarkedInWords(sent, trafficClassOf(3, "ect0"))).toBe("remarked: DSCP 3");
});
