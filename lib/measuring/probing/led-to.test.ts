import { expect, test } from "bun:test";
import { address } from "../../net/ip/address.ts";
import { isPublic } from "./led-to.ts";

test.each([
  ["1.1.1.1", true],
  ["2606:4700::1111", true],
  ["2002:101:101::1", true],
  ["10.0.0.1", false],
  ["2002:7f00:1::", false],
  ["2002:a9fe:a9fe::1", false],
  ["64:ff9b::a9fe:a9fe", false],
  ["64:ff9b::101:101", false],
  ["2001:0:101:101:0:0:f5ff:fffe", false],
  ["::7f00:1", false],
  ["fd00::1", false],
])("%s is of the public Internet: %p", (text, expected) => {
  expect(isPublic(address(text))).toBe(expected);
});
