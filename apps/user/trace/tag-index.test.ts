import { expect, test } from "bun:test";
import { address } from "../../../lib/net/ip/address.ts";
import { ianaNumber, type Probe } from "../../../lib/net/packet/probe.ts";
import { tagKey, tagOf } from "../../../lib/net/packet/tag.ts";
import { tickOfUs, wireTimeCode, wrapOf } from "../../../lib/net/packet/time-code.ts";
import { TagIndex } from "./tag-index.ts";

const keys = [tagKey(new TextEncoder().encode("a secret"), "trace", 0)];
const sentAtUs = 1_800_000_000_000_000;
const mask = 2n ** 64n - 1n;

function entry(srcPort: number, leftAtUs = sentAtUs) {
  const probe: Probe = { dst: address("203.0.113.10"), protocol: "icmp", srcPort, dstPort: 0, ttl: 64 };
  return { probe, instance: 0, leftAtUs };
}

function tagOfPort(srcPort: number) {
  const tick = tickOfUs(sentAtUs);
  const time = { wireTimeCode: wireTimeCode(tick), wrap: wrapOf(tick), protocolNumber: ianaNumber.icmp };
  const [key] = keys;
  return { mask, value: key === undefined ? 0n : tagOf(key, { ...entry(srcPort).probe, ...time }) };
}

const indexOf = (entriesMax: number) =>
  new TagIndex<ReturnType<typeof entry>>({ keys, entriesMax, sentAtUs: ({ leftAtUs }) => leftAtUs });

test("a probe is found once it has left", () => {
  const index = indexOf(10);
  const waiting = entry(1, 0);
  index.add(waiting);
  expect(index.find(tagOfPort(1))).toBe(null);
  waiting.leftAtUs = sentAtUs;
  expect(index.find(tagOfPort(1))).toBe(waiting);
  index.delete(waiting);
  expect(index.find(tagOfPort(1))).toBe(null);
});

test("the oldest are forgotten, whether their tag was made or not", () => {
  const index = indexOf(2);
  index.add(entry(1));
  index.find(tagOfPort(1));
  for (const port of [2, 3, 4]) {
    index.add(entry(port));
  }
  const found = [1, 2, 3, 4].map((port) => index.find(tagOfPort(port)) !== null);
  expect(found).toEqual([false, false, true, true]);
});
