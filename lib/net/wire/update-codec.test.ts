import { expect, test } from "bun:test";
import { Message } from "capnp-es";
import { Update } from "../../../tests/capnp/update.ts";
import { routeUpdate, withdrawal } from "../../../tests/contract/store/samples.ts";
import { decodeUpdates, encodeUpdate } from "./update-codec.ts";

test("what is written is read again, message after message of a record", () => {
  const record = Buffer.concat([routeUpdate, withdrawal, routeUpdate].map(encodeUpdate));
  expect([...decodeUpdates(record)]).toEqual(
    [routeUpdate, withdrawal, routeUpdate].map((update) => ({ ok: true, update })),
  );
});

test("another implementation reads what is written", () => {
  const bytes = new Uint8Array(encodeUpdate(routeUpdate));
  const read = new Message(bytes, false, false).getRoot(Update);
  expect(read.timeReceivedNs).toBe(routeUpdate.timeReceivedNs);
  expect(new Uint8Array(read.prefixAddr.toUint8Array())).toEqual(new Uint8Array(routeUpdate.prefixAddr));
  expect([read.isPostPolicy, read.isAdjRibOut, read.announced, read.synthetic]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([read.origin, [...read.asPath], read.atomicAggregate]).toEqual([
    "INCOMPLETE",
    [...routeUpdate.asPath],
    true,
  ]);
  const extended = read.extendedCommunities.map((one) => [
    one.typeHigh,
    one.typeLow,
    new Uint8Array(one.value.toUint8Array()),
  ]);
  expect(extended as unknown).toEqual(routeUpdate.extendedCommunities);
  expect(
    read.largeCommunities.map((one) => [one.globalAdmin, one.localDataPart1, one.localDataPart2]),
  ).toEqual(routeUpdate.largeCommunities.map((one) => [...one]));
  expect(read.communities.map((one) => [one.asn, one.value])).toEqual(
    routeUpdate.communities.map((one) => [...one]),
  );
  expect([read.mpReachAfi, read.mpReachSafi, read.mpUnreachAfi, read.mpUnreachSafi]).toEqual([2, 1, 1, 2]);
});

test("extended communities keep values of any length, and what is behind them", () => {
  const lengths = [6, 0, 7, 8, 9, 200];
  const extendedCommunities = lengths.map(
    (length, i) => [i, 255 - i, new Uint8Array(length).fill(length)] as const,
  );
  const update = { ...routeUpdate, extendedCommunities };
  const record = Buffer.concat([update, withdrawal, update].map(encodeUpdate));
  expect([...decodeUpdates(record)]).toEqual(
    [update, withdrawal, update].map((one) => ({ ok: true, update: one })),
  );
  const read = new Message(new Uint8Array(encodeUpdate(update)), false, false).getRoot(Update);
  expect(read.extendedCommunities.map((one) => one.value.toUint8Array().length)).toEqual(lengths);
});

test("a broken message is refused with its bytes, and the next one is read", () => {
  const bad = encodeUpdate(routeUpdate);
  // The pointer of the router's address leads out of the message.
  bad.fill(0xff, 81, 83);
  const results = [...decodeUpdates(Buffer.concat([bad, encodeUpdate(withdrawal)]))];
  expect(results.map((one) => (one.ok ? null : one.reason))).toEqual(["pointerBounds", null]);
  expect([...decodeUpdates(new Uint8Array(0))]).toEqual([
    { ok: false, reason: "truncated", bytes: new Uint8Array(0) },
  ]);
});

test("whatever bytes are damaged, a record is read to its end", () => {
  const record = Buffer.concat([encodeUpdate(routeUpdate), encodeUpdate(withdrawal)]);
  let refused = 0;
  for (let at = 0; at < record.length; at++) {
    for (const value of [0, 0x7f, 0xff]) {
      const damaged = Buffer.from(record);
      damaged[at] = value;
      refused += [...decodeUpdates(damaged)].filter(({ ok }) => !ok).length;
    }
  }
  expect(refused).toBeGreaterThan(50);
});
