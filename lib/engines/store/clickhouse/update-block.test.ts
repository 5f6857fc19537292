import { expect, test } from "bun:test";
import { routeUpdate, withdrawal } from "../../../../tests/contract/store/samples.ts";
import { inTier } from "../../../../tests/run/tier.ts";
import type { RouteUpdate } from "../../../net/wire/route-update.ts";
import { decodeUpdates, encodeUpdate } from "../../../net/wire/update-codec.ts";
import { UpdateBlock } from "./update-block.ts";

function blockOf(updates: readonly RouteUpdate[]): Uint8Array {
  const block = new UpdateBlock();
  block.add(Buffer.concat(updates.map(encodeUpdate)));
  return block.toBytes();
}

test("whatever bytes are damaged, the block has the updates that the codec reads, and its reasons", () => {
  const record = Buffer.concat([routeUpdate, withdrawal, routeUpdate].map(encodeUpdate));
  const second = encodeUpdate(routeUpdate).length;
  const block = new UpdateBlock();
  let refused = 0;
  for (let at = 0; at < second + 200; at += inTier({ usual: 5, long: 1 })) {
    for (const value of [0, 1, 0x7f, 0xff]) {
      const damaged = Buffer.from(record);
      damaged[at] = value;
      const results = [...decodeUpdates(damaged)];
      const late = 2n ** 63n;
      const isLate = ({ timeReceivedNs, timeBmpHeaderNs }: RouteUpdate) =>
        timeReceivedNs >= late || timeBmpHeaderNs >= late;
      const good = results.flatMap((one) => (one.ok && !isLate(one.update) ? [one.update] : []));
      const reasons = results.flatMap((one) =>
        one.ok ? (isLate(one.update) ? ["timeReceived"] : []) : [one.reason],
      );
      expect(block.add(damaged).map(({ reason }) => reason as string)).toEqual(reasons);
      expect(block.rows).toBe(good.length);
      // The encoder has room for the 6 bytes that an extended community has.
      if (good.every((one) => one.extendedCommunities.every(([, , { length }]) => length <= 8))) {
        expect(Buffer.compare(block.toBytes(), blockOf(good))).toBe(0);
      }
      block.clear();
      refused += reasons.length;
    }
  }
  expect(refused).toBeGreaterThan(50);
});

test("the day is that of the time, to the nanosecond", () => {
  const dayNs = 86_400_000_000_000n;
  for (const timeReceivedNs of [
    0n,
    dayNs - 1n,
    dayNs,
    20_000n * dayNs - 1n,
    20_000n * dayNs,
    65_535n * dayNs - 1n,
  ]) {
    const bytes = Buffer.from(blockOf([{ ...routeUpdate, timeReceivedNs }]));
    const at = bytes.indexOf("\u0004date\u0004Date") + 10;
    expect(bytes.readUInt16LE(at)).toBe(Number(timeReceivedNs / dayNs));
  }
});
