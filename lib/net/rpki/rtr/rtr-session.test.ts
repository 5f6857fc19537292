import { expect, test } from "bun:test";
import {
  endOfData,
  ipv4,
  notify,
  pdu,
  refusal,
  response,
  session,
} from "../../../../tests/property/rtr-pdus.ts";
import { address } from "../../ip/address.ts";
import { formatPrefix, prefixOf } from "../../ip/prefix.ts";
import { changesMax } from "./limits.ts";
import { pduTypes } from "./pdu.ts";
import { RtrData } from "./rtr-data.ts";
import { RtrFailure } from "./rtr-failure.ts";
import { RtrSession } from "./rtr-session.ts";

/** Queries as they are sent, in hexadecimal. */
const reset = (version = 1) => `0${version}02000000000008`;
const serial = (number: number) => `010112340000000c${number.toString(16).padStart(8, "0")}`;

function scene(data = new RtrData()) {
  const skipped = { routerKeys: 0, aspas: 0 };
  const one = new RtrSession(data, skipped);
  const take = (...pdus: readonly Uint8Array[]) => pdus.map((bytes) => one.take(bytes)).at(-1);
  const held = () =>
    data.table?.covering(prefixOf(address("192.0.2.0"), 24)).map(({ prefix }) => formatPrefix(prefix));
  /** The code that the cache hears, and the words. */
  const failure = (...pdus: readonly Uint8Array[]) => {
    try {
      take(...pdus);
    } catch (error) {
      const report = one.reportOf(error);
      return [report === null ? null : (report[3] ?? 0), error instanceof RtrFailure ? error.message : error];
    }
    return null;
  };
  return { data, skipped, take, held, failure, one, ask: () => one.ask().toHex() };
}

/** One that has said all, as serial 7: 192.0.2.0/24. */
function complete() {
  const all = scene();
  all.ask();
  all.take(response(), ipv4(true, 2), endOfData(7));
  return all;
}

test("an answer counts from its end on, and then the cache is asked for changes only", () => {
  const { ask, take, held, data } = scene();
  expect(ask()).toBe(reset());
  take(response(), ipv4(true, 2));
  expect(held()).toBeUndefined();
  expect(take(endOfData(7))).toEqual({ update: { kind: "complete", changed: 1 }, query: null });
  expect(held()).toEqual(["192.0.2.0/24"]);
  expect(ask()).toBe(serial(7));
  take(response(), ipv4(false, 2), ipv4(true, 3));
  expect([held(), data.table?.count]).toEqual([["192.0.2.0/24"], 1]);
  expect(take(endOfData(8))?.update).toEqual({ kind: "complete", changed: 2 });
  expect([held(), data.table?.count]).toEqual([[], 1]);
});

test("what is withdrawn and announced in one answer is there after it", () => {
  const { ask, take, held } = complete();
  ask();
  take(response(), ipv4(false, 2), ipv4(true, 2), ipv4(true, 2, { asn: 1 }), ipv4(false, 2, { asn: 1 }));
  take(endOfData(8));
  expect(held()).toEqual(["192.0.2.0/24"]);
});

test("a notification has the cache asked, at once or after what it is saying", () => {
  const { take } = complete();
  expect(take(notify(7))?.query).toBeNull();
  expect(take(notify(8))?.query?.toHex()).toBe(serial(7));
  expect(take(response(), notify(9))?.query).toBeNull();
  expect(take(endOfData(8))?.query?.toHex()).toBe(serial(8));
  expect(take(response(), endOfData(9))?.query).toBeNull();
});

test("a cache that has no changes is asked for all, and its data stays until then", () => {
  const { ask, take, held } = complete();
  ask();
  expect(take(pdu(pduTypes.cacheReset, 0))?.query?.toHex()).toBe(reset());
  take(response(), ipv4(true, 3));
  expect(held()).toEqual(["192.0.2.0/24"]);
  take(endOfData(1));
  expect(held()).toEqual([]);
});

test("one that has nothing yet may be asked again, and what is known stays", () => {
  const { ask, take, held } = complete();
  ask();
  expect(take(refusal(2))?.update).toEqual({ kind: "no data" });
  expect([held(), ask()]).toEqual([["192.0.2.0/24"], serial(7)]);
});

test("keys of routers and ASPAs are skipped, and counted", () => {
  const { ask, take, skipped, data } = scene();
  ask();
  const key = pdu(pduTypes.routerKey, 0x0100, `${"11".repeat(24)}${"22".repeat(91)}`);
  take(response(), key, pdu(pduTypes.aspa, 0x0100, "0000fbf40000fbf5"), key, endOfData(1));
  expect([skipped, data.table?.count]).toEqual([{ routerKeys: 2, aspas: 1 }, 0]);
});

const other = pdu(pduTypes.cacheResponse, session + 1);
test.each([
  ["an announcement twice in an answer", [response(), ipv4(true, 3), ipv4(true, 3)], 7],
  ["an announcement of what is there", [response(), ipv4(true, 2)], 7],
  ["a withdrawal of what is not there", [response(), ipv4(false, 3)], 6],
  ["a withdrawal twice", [response(), ipv4(false, 2), ipv4(false, 2)], 6],
  ["another maximum length", [response(), ipv4(false, 2, { maxLength: 25 })], 6],
  ["a record outside of an answer", [ipv4(true, 3)], 0],
  ["an end without a begin", [endOfData(8)], 0],
  ["two begins", [response(), response()], 0],
  ["a reset in the middle", [response(), pdu(pduTypes.cacheReset, 0)], 0],
  ["a type that nobody knows", [pdu(12, 0)], 5],
  ["another version in the middle", [response(), ipv4(true, 3, { version: 0 })], 8],
])("after %s the session ends, the data stays, and all is asked for", (_, pdus, code) => {
  const { ask, failure, held, data } = complete();
  ask();
  expect(failure(...pdus)?.[0]).toBe(code);
  expect(held()).toEqual(["192.0.2.0/24"]);
  expect(scene(data).ask()).toBe(reset());
});

test("what another run of the cache says has the data forgotten", () => {
  for (const pdus of [[other], [response(), pdu(pduTypes.endOfData, 1, "00".repeat(16))]]) {
    const { ask, failure, data } = complete();
    ask();
    expect(failure(...pdus)?.[0]).toBe(0);
    expect(data.table).toBeNull();
  }
  const idle = complete();
  expect(idle.failure(pdu(pduTypes.serialNotify, 1, "00000008"))?.[0]).toBe(0);
  expect(idle.data.table).toBeNull();
});

test("what the cache refuses ends the session without an answer", () => {
  const { ask, failure, held, data } = complete();
  ask();
  expect(failure(refusal(0))).toEqual([null, "it reports error 0: no"]);
  expect([held(), scene(data).ask()]).toEqual([["192.0.2.0/24"], reset()]);
});

test("a query for changes that has stayed without an answer is not sent again; what has ended idle goes on", () => {
  const { ask, one, data, held } = complete();
  one.end();
  expect(scene(data).ask()).toBe(serial(7));
  ask();
  one.end();
  expect([held(), scene(data).ask()]).toEqual([["192.0.2.0/24"], reset()]);
});

test("a cache without data says later that it has some", () => {
  const { ask, take } = scene();
  ask();
  take(refusal(2));
  expect(take(notify(1))?.query?.toHex()).toBe(reset());
});

test("where a table has expired, nothing changes it, and all is asked for", () => {
  for (const [before, after] of [
    [[], response()],
    [[response()], endOfData(8)],
  ] as const) {
    const { ask, take, failure, data } = complete();
    ask();
    take(...before);
    data.forget();
    expect(failure(after)?.[0]).toBeNull();
    expect(data.table).toBeNull();
    expect(scene(data).ask()).toBe(reset());
  }
});

test("version 0 is spoken where the cache answers by it, or refuses 1; its intervals are the usual ones", () => {
  const { ask, take, data } = scene();
  ask();
  // What is notified before the version is agreed on says nothing, whatever its version.
  take(notify(9, 2), notify(9, 0), response(0), ipv4(true, 2, { version: 0 }));
  expect(take(endOfData(3, 0))?.query).toBeNull();
  expect([data.version, data.intervals.expireSec, data.table?.count]).toEqual([0, 7200, 1]);
  expect(scene(data).ask()).toBe("000112340000000c00000003");

  const refused = scene();
  refused.ask();
  expect(refused.failure(refusal(4, 0))?.[0]).toBeNull();
  expect(scene(refused.data).ask()).toBe(reset(0));
  // Who refuses both is asked in version 1 again.
  const again = scene(refused.data);
  again.ask();
  again.failure(refusal(4, 0));
  expect(scene(refused.data).ask()).toBe(reset());
});

test("a version that has no serial of ours is asked for all", () => {
  const { ask, failure, held, data } = scene(complete().data);
  expect(ask()).toBe(serial(7));
  expect(failure(response(0))?.[0]).toBeNull();
  expect([held(), scene(data).ask()]).toEqual([["192.0.2.0/24"], reset(0)]);
});

test("a cache of version 2 alone is asked in version 2; one that nobody knows in version 0", () => {
  for (const [theirs, next] of [
    [2, 2],
    [9, 0],
  ] as const) {
    const { ask, one, take, data } = scene();
    ask();
    try {
      take(response(theirs));
    } catch (error) {
      // Told in our own version: error 4.
      expect(one.reportOf(error)?.subarray(0, 4).toHex()).toBe("010a0004");
    }
    expect(scene(data).ask()).toBe(reset(next));
  }
});

test("more changes than are made at once have all asked for, and the cache hears nothing of it", () => {
  const { ask, take, failure, data } = complete();
  ask();
  take(response());
  for (let asn = 1; asn <= changesMax; asn++) {
    take(ipv4(true, 2, { asn: 100_000 + asn }));
  }
  expect(failure(ipv4(true, 3))?.[0]).toBeNull();
  expect([data.table?.count, scene(data).ask()]).toEqual([1, reset()]);
});
