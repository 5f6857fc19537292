import { describe, expect, test } from "bun:test";
import { formatAddress } from "../ip/address.ts";
import { formatPrefix } from "../ip/prefix.ts";
import { formatAsPath } from "./as-path.ts";
import type { NlriReader } from "./nlri.ts";
import { readUpdate, usualSession } from "./update.ts";

/** A message around a body in hexadecimal. */
function update(withdrawn: string, attributes: string, announced: string): Uint8Array {
  const part = (hex: string) => `${(hex.length / 2).toString(16).padStart(4, "0")}${hex}`;
  const body = `${part(withdrawn)}${part(attributes)}${announced}`;
  const length = (19 + body.length / 2).toString(16).padStart(4, "0");
  return Uint8Array.fromHex(`${"ff".repeat(16)}${length}02${body}`);
}

const compact = (hex: string) => hex.replaceAll(/\s/g, "");
const texts = (routes: readonly { prefix: Parameters<typeof formatPrefix>[0] }[]) =>
  routes.map(({ prefix }) => formatPrefix(prefix));

/** ORIGIN, AS_PATH, NEXT_HOP: routes without them are malformed (RFC 7606 s.3 d). */
const mandatory = "4001010040020602010000fbf4400304c0000201";

/** ORIGIN, AS_PATH, NEXT_HOP, MED, LOCAL_PREF, ATOMIC_AGGREGATE, AGGREGATOR, communities of three kinds, OTC. */
const everything = compact(`
  40 01 01 00
  40 02 14 02 02 0000fbf4 fa56ea00 01 02 0000fbf5 0000fbf6
  40 03 04 c0000201
  80 04 04 00000064
  40 05 04 000000c8
  40 06 00
  c0 07 08 0000fbf4 c0000209
  c0 08 08 fbf4000a ffffff01
  80 09 04 0a000001
  80 0a 08 0a000002 0a000003
  c0 10 08 0002fbf400000007
  c0 20 0c fa56ea00 00000001 00000002
  c0 23 04 0000fbf4`);

describe("an UPDATE", () => {
  test("has each attribute that a monitor shows, and IPv4 prefixes", () => {
    const {
      announced,
      withdrawn,
      attributes: read,
    } = readUpdate(update("18c63364", everything, "1ecb00710400"), usualSession);
    expect([texts(withdrawn), texts(announced)]).toEqual([
      ["198.51.100.0/24"],
      ["203.0.113.4/30", "0.0.0.0/0"],
    ]);
    expect(formatAsPath(read.asPath)).toBe("64500 4200000000 {64501,64502}");
    expect(read).toMatchObject({
      ...{ origin: "IGP", med: 100, localPreference: 200, isAtomicAggregate: true, onlyToCustomer: 64_500 },
      communities: [
        [64_500, 10],
        [65_535, 65_281],
      ],
      extendedCommunities: ["0002fbf400000007"],
      largeCommunities: [[4_200_000_000, 1, 2]],
    });
    expect(formatAddress(read.nextHop ?? new Uint8Array(16))).toBe("192.0.2.1");
    expect(read.aggregator?.asn).toBe(64_500);
    expect(read.clusterList.map(formatAddress)).toEqual(["10.0.0.2", "10.0.0.3"]);
  });

  test("has IPv6 prefixes in attributes; the global one of two next hops counts", () => {
    const [global, local] = ["20010db8000100000000000000000001", "fe800000000000000000000000000001"];
    const reach = `00020120${global}${local}003020010db80051`;
    const unreach = "0002012f20010db80052";
    const attributes = `800e${(reach.length / 2).toString(16)}${reach}800f0a${unreach}`;
    const read = readUpdate(update("", `${mandatory.slice(0, 26)}${attributes}`, ""), usualSession);
    expect([texts(read.announced), texts(read.withdrawn)]).toEqual([
      ["2001:db8:51::/48"],
      ["2001:db8:52::/47"],
    ]);
    expect(formatAddress(read.attributes.nextHop ?? new Uint8Array(16))).toBe("2001:db8:1::1");
    expect(read.endOfTable).toBeNull();
  });

  test("of a session with AS numbers of two bytes says the true ones beside (RFC 6793)", () => {
    const attributes = compact(`
      40 02 08 02 03 fbf4 5ba0 5ba0
      c0 11 0a 02 02 fa56ea00 fa56ea01
      c0 07 06 5ba0 c0000201
      c0 12 08 fa56ea02 c0000202`);
    const { attributes: read } = readUpdate(update("", attributes, ""), { ...usualSession, asnBytes: 2 });
    expect(formatAsPath(read.asPath)).toBe("64500 4200000000 4200000001");
    expect(read.aggregator?.asn).toBe(4_200_000_002);
  });

  test("has path ids where the session has several paths to a prefix (RFC 7911)", () => {
    const nlri: NlriReader = { hasPathIds: (family) => family === 4 };
    const { announced } = readUpdate(update("", mandatory, "0000000718c63364"), {
      ...{ ...usualSession, nlri },
    });
    expect(announced.map(({ pathId }) => pathId)).toEqual([7]);
    expect(texts(announced)).toEqual(["198.51.100.0/24"]);
  });

  test("without anything ends the table, of IPv4 and of IPv6 (RFC 4724)", () => {
    expect(readUpdate(update("", "", ""), usualSession).endOfTable).toBe(4);
    expect(readUpdate(update("", "800f03000201", ""), usualSession).endOfTable).toBe(6);
  });

  test.each([
    ["a prefix that is too long", update("", "", "21c633640000"), "a prefix of 33 bits in IPv4"],
    ["a prefix that is cut short", update("", "", "18c633"), "a prefix of 24 bits has 2 of 3 bytes"],
    ["an attribute that is cut short", update("", "400304c000", ""), "attribute 3 has 2 of 4 bytes"],
    ["an attribute of another size", update("", "400302c000", ""), "attribute 3 has 2 bytes instead of 4"],
    [
      "communities of another size",
      update("", "c00803000000", ""),
      "attribute 8 has 3 bytes, not a multiple of 4",
    ],
    [
      "a path that is cut short",
      update("", "4002030201fb", ""),
      "the AS path ends within a segment of 1 ASes",
    ],
  ])("with %s is refused with its place", (_, message, reason) => {
    expect(() => readUpdate(message, usualSession)).toThrow(new RangeError(reason));
  });

  test("that ends anywhere is read or refused, and nothing else", () => {
    const whole = update("18c63364", `${everything.slice(0, 8)}400304c0000201`, "1ecb007104");
    for (let length = 19; length <= whole.length; length++) {
      try {
        readUpdate(whole.subarray(0, length), usualSession);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }
  });
});
