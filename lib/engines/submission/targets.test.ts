import { describe, expect, test } from "bun:test";
import { Failure } from "../../base/failure/failure.ts";
import { formatTarget, parseChoices, parseTargets, wavesOf } from "./targets.ts";

test.each([
  ["west", ["west"]],
  ["west,east", ["west", "east"]],
  ["west:192.0.2.1", ["west:192.0.2.1"]],
  ["west:[2001:DB8:0::1]", ["west:[2001:db8::1]"]],
  [" west , east:192.0.2.1,east:[2001:db8::1]", ["west", "east:192.0.2.1", "east:[2001:db8::1]"]],
  ["west,west:192.0.2.1", ["west", "west:192.0.2.1"]],
  ["west-1.example_net/a@b,sør", ["west-1.example_net/a@b", "sør"]],
])("%s is read", (text, targets) => {
  expect(parseTargets(text).map(formatTarget)).toEqual(targets);
});

describe("what is not a target is named, with what would be right", () => {
  test.each([
    ["", 'There is an empty target in "": name agents as agent or agent:address'],
    ["west,,east", 'There is an empty target in "west,,east": name agents as agent or agent:address'],
    [
      "we st",
      '"we st" is not a target: an agent id has no colon, comma, bracket, space or control character',
    ],
    [
      "[west]",
      '"[west]" is not a target: an agent id has no colon, comma, bracket, space or control character',
    ],
    [
      ":192.0.2.1",
      '":192.0.2.1" is not a target: an agent id has no colon, comma, bracket, space or control character',
    ],
    [
      "west:",
      '"west:" is not a target: "" is not an address; write sources as agent:192.0.2.1 or agent:[2001:db8::1]',
    ],
    [
      "west:host",
      '"west:host" is not a target: "host" is not an address; write sources as agent:192.0.2.1 or agent:[2001:db8::1]',
    ],
    [
      "west:2001:db8::1",
      '"west:2001:db8::1" is not a target: an IPv6 source needs brackets; write sources as agent:192.0.2.1 or ' +
        "agent:[2001:db8::1]",
    ],
    [
      "west:[192.0.2.1]",
      '"west:[192.0.2.1]" is not a target: an IPv4 source has no brackets; write sources as agent:192.0.2.1 or ' +
        "agent:[2001:db8::1]",
    ],
    ["west,east,west", "Target west is given twice"],
    ["west:[2001:db8::1],west:[2001:DB8:0::1]", "Target west:[2001:db8::1] is given twice"],
    [`${"a".repeat(241)}`, `Agent id "${"a".repeat(60)}…" has more than 240 bytes`],
    [
      Array.from({ length: 1001 }, (_, i) => `a${i}`).join(),
      "1001 targets are more than 1000: split the measurement",
    ],
  ])("%s", (text, message) => {
    expect(() => parseTargets(text)).toThrow(new Failure("submission", "targets", message));
  });
});

test("a gateway chooses agents, a broker does not", () => {
  const list = "west,3@tag:eu,as:64500,tag:[2001:db8::1],tag:192.0.2.1";
  expect(parseChoices(list).map(formatTarget)).toEqual(list.split(","));
  expect(parseChoices(list).map((choice) => "agent" in choice)).toEqual([true, false, false, true, true]);
  const elsewhere = '"3@tag:eu" chooses agents at a gateway: name them here, or send with vantage send';
  expect(() => parseTargets(list)).toThrow(new Failure("submission", "targets", elsewhere));
});

test.each([
  ["as:x", '"as:x" is not an AS number: write as:64500'],
  ["tag:eu,tag:eu", "Target tag:eu is given twice"],
  [
    "region:eu",
    '"region:eu" is not a target: "eu" is not an address; write sources as agent:192.0.2.1 or agent:[2001:db8::1], ' +
      "and agents that are chosen as tag:NAME, as:NUMBER, country:CC, place:WORD, or some by chance: 3@tag:NAME, 5@any",
  ],
])("%s is refused with what would be right", (text, message) => {
  expect(() => parseChoices(text)).toThrow(new Failure("submission", "targets", message));
});

test("a second source of an agent is in another wave, and no wave names an agent twice", () => {
  const targets = parseTargets("a:192.0.2.1,b,a:[2001:db8::1],c:192.0.2.9,a:192.0.2.2,c");
  expect(wavesOf(targets).map((wave) => wave.map(formatTarget))).toEqual([
    ["a:192.0.2.1", "b", "c:192.0.2.9"],
    ["a:[2001:db8::1]", "c"],
    ["a:192.0.2.2"],
  ]);
});

test("sources as people type them are read, or it is said what to write", () => {
  const source = (text: string) => parseTargets(text).map(formatTarget);
  expect(source("west:[::ffff:192.0.2.1]")).toEqual(["west:192.0.2.1"]);
  expect(source("west:[2001:DB8::1] , east: 192.0.2.1")).toEqual(["west:[2001:db8::1]", "east:192.0.2.1"]);
  expect(() => source("west:192.0.2.1:443")).toThrow(
    "it has a port: write 192.0.2.1, and give port 443 by itself",
  );
  expect(() => source("west:[fe80::1%eth0]")).toThrow(
    "it has a zone, which only one machine knows: write fe80::1",
  );
});
