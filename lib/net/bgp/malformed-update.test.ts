/** What malformed attributes cost (RFC 7606), and which AS numbers count (RFC 6793). */
import { describe, expect, test } from "bun:test";
import { formatAddress } from "../ip/address.ts";
import { formatPrefix } from "../ip/prefix.ts";
import { formatAsPath } from "./as-path.ts";
import type { SessionFacts } from "./read-attributes.ts";
import { type MalformedUpdate, readUpdate, usualSession } from "./update.ts";

const hexOf = (number: number, bytes: number) => number.toString(16).padStart(2 * bytes, "0");

/** A message around a body in hexadecimal. */
function update(withdrawn: string, attributes: string, announced: string): Uint8Array {
  const part = (hex: string) => `${hexOf(hex.length / 2, 2)}${hex}`;
  const body = `${part(withdrawn)}${part(attributes)}${announced}`;
  return Uint8Array.fromHex(`${"ff".repeat(16)}${hexOf(19 + body.length / 2, 2)}02${body}`);
}

function attribute(flags: number, type: number, value: string): string {
  return `${hexOf(flags, 1)}${hexOf(type, 1)}${hexOf(value.length / 2, 1)}${value}`;
}

const origin = attribute(0x40, 1, "00");
const asPath = attribute(0x40, 2, "02010000fbf4");
const nextHop = attribute(0x40, 3, "c0000201");
const mandatory = `${origin}${asPath}${nextHop}`;
const announced = "18c63364";
const global = "20010db8000100000000000000000001";
const reach = (prefix: string) => attribute(0x80, 14, `00020110${global}00${prefix}`);
const ipv6 = "3020010db80051";
const inside: SessionFacts = { ...usualSession, isExternal: false };

function failureOf(message: Uint8Array, session = usualSession): MalformedUpdate {
  try {
    readUpdate(message, session);
  } catch (error) {
    return error as MalformedUpdate;
  }
  throw new Error("It is read");
}

const texts = (routes: readonly { prefix: Parameters<typeof formatPrefix>[0] }[]) =>
  routes.map(({ prefix }) => formatPrefix(prefix));

describe("an UPDATE withdraws what it names", () => {
  test.each([
    ["ORIGIN of another size", `${attribute(0x40, 1, "0000")}${asPath}${nextHop}`, "ORIGIN"],
    ["an unknown ORIGIN", `${attribute(0x40, 1, "03")}${asPath}${nextHop}`, "ORIGIN"],
    ["AS_PATH with an empty segment", `${origin}${attribute(0x40, 2, "0200")}${nextHop}`, "AS_PATH"],
    [
      "AS_PATH with an unknown segment",
      `${origin}${attribute(0x40, 2, "05010000fbf4")}${nextHop}`,
      "AS_PATH",
    ],
    ["AS_PATH with a byte too many", `${origin}${attribute(0x40, 2, "02010000fbf402")}${nextHop}`, "AS_PATH"],
    ["AS 0 in AS_PATH", `${origin}${attribute(0x40, 2, "02020000fbf400000000")}${nextHop}`, "AS_PATH"],
    ["AS 0 in an AS_SET", `${origin}${attribute(0x40, 2, "02010000fbf4010100000000")}${nextHop}`, "AS_PATH"],
    [
      "AS 0 in a confederation",
      `${origin}${attribute(0x40, 2, "0301000000000201" + "0000fbf4")}${nextHop}`,
      "AS_PATH",
    ],
    ["NEXT_HOP of another size", `${origin}${asPath}${attribute(0x40, 3, `${global}`)}`, "NEXT_HOP"],
    ["MED of another size", `${mandatory}${attribute(0x80, 4, "0000")}`, "MULTI_EXIT_DISC"],
    ["COMMUNITIES without one", `${mandatory}${attribute(0xc0, 8, "")}`, "COMMUNITIES"],
    ["COMMUNITIES of 3 bytes", `${mandatory}${attribute(0xc0, 8, "000000")}`, "COMMUNITIES"],
    [
      "EXTENDED_COMMUNITIES of 4 bytes",
      `${mandatory}${attribute(0xc0, 16, "00000000")}`,
      "EXTENDED_COMMUNITIES",
    ],
    [
      "those of IPv6 of 8 bytes",
      `${mandatory}${attribute(0xc0, 25, "00".repeat(8))}`,
      "IPV6_EXTENDED_COMMUNITIES",
    ],
    [
      "LARGE_COMMUNITIES of 8 bytes",
      `${mandatory}${attribute(0xc0, 32, "00".repeat(8))}`,
      "LARGE_COMMUNITIES",
    ],
    ["ONLY_TO_CUSTOMER of 2 bytes", `${mandatory}${attribute(0xc0, 35, "0001")}`, "ONLY_TO_CUSTOMER"],
    ["no ORIGIN", `${asPath}${nextHop}`, "ORIGIN"],
    ["no AS_PATH", `${origin}${nextHop}`, "AS_PATH"],
    ["no NEXT_HOP", `${origin}${asPath}`, "NEXT_HOP"],
    ["wrong flags", `${mandatory}${attribute(0x40, 8, "00000000")}`, "COMMUNITIES"],
    ["an unknown well-known attribute", `${mandatory}${attribute(0x40, 99, "00")}`, "attribute 99"],
    ["an attribute that is cut short", `${mandatory}c00808fbf4`, "COMMUNITIES"],
    ["an attribute that is cut by a byte", `${mandatory}c00804fbf400`, "COMMUNITIES"],
    ["MP_REACH_NLRI twice", `${mandatory}${reach(ipv6)}${reach("3020010db80052")}`, "MP_REACH_NLRI"],
    [
      "a next hop of 4 bytes for IPv6",
      `${mandatory}${attribute(0x80, 14, `00020104c000020100${ipv6}`)}`,
      "MP_REACH_NLRI",
    ],
  ])("with %s", (_, attributes, name) => {
    const { damage, announced: found, withdrawn } = failureOf(update("18c00002", attributes, announced));
    expect(damage.attribute).toBe(name);
    expect(texts(withdrawn)).toEqual(["192.0.2.0/24"]);
    expect(texts(found)[0]).toBe("198.51.100.0/24");
  });

  test("of both MP_REACH_NLRI, and up to a prefix that cannot be read", () => {
    const twice = failureOf(update("", `${mandatory}${reach(ipv6)}${reach("3020010db80052")}`, ""));
    expect(texts(twice.announced)).toEqual(["2001:db8:51::/48", "2001:db8:52::/48"]);
    const cut = failureOf(update("", mandatory, `${announced}21`));
    expect([texts(cut.announced), cut.damage.attribute]).toEqual([["198.51.100.0/24"], null]);
    const cutInside = failureOf(update("", `${mandatory}${reach(`${ipv6}81`)}`, announced));
    expect(texts(cutInside.announced)).toEqual(["198.51.100.0/24", "2001:db8:51::/48"]);
  });

  test("with a malformed attribute of routes inside an AS, not from outside", () => {
    for (const [type, flags] of [
      [5, 0x40],
      [9, 0x80],
      [10, 0x80],
    ] as const) {
      const message = update("", `${mandatory}${attribute(flags, type, "000000")}`, announced);
      expect(failureOf(message, inside).announced).toHaveLength(1);
      const { discarded, attributes } = readUpdate(message, usualSession);
      expect(discarded.map(({ reason }) => reason)).toEqual([
        expect.stringContaining(`attribute ${type} has 3 bytes`),
      ]);
      expect([attributes.localPreference, attributes.originatorId, attributes.clusterList]).toEqual([
        null,
        null,
        [],
      ]);
    }
  });

  test("not without a next hop where routers leave it out", () => {
    const session = { ...usualSession, hasNextHops: false };
    expect(texts(readUpdate(update("", `${origin}${asPath}`, announced), session).announced)).toHaveLength(1);
  });
});

describe("an attribute is left out, and the routes stay", () => {
  test.each([
    ["AGGREGATOR of 6 bytes", attribute(0xc0, 7, "fbf4c0000209"), "AGGREGATOR"],
    ["ATOMIC_AGGREGATE with a value", attribute(0x40, 6, "00"), "ATOMIC_AGGREGATE"],
    ["AS4_PATH with an empty segment", attribute(0xc0, 17, "0200"), "AS4_PATH"],
    ["AS4_PATH without one", attribute(0xc0, 17, ""), "AS4_PATH"],
    ["AGGREGATOR of AS 0", attribute(0xc0, 7, "00000000c0000209"), "AGGREGATOR"],
    ["AS4_PATH with AS 0", attribute(0xc0, 17, "02020000fbf400000000"), "AS4_PATH"],
    ["AS4_AGGREGATOR of AS 0", attribute(0xc0, 18, "00000000c0000209"), "AS4_AGGREGATOR"],
    ["AS4_AGGREGATOR of 6 bytes", attribute(0xc0, 18, "fbf4c0000209"), "AS4_AGGREGATOR"],
    [
      "COMMUNITIES twice",
      `${attribute(0xc0, 8, "fbf40001")}${attribute(0xc0, 8, "fbf40002")}`,
      "COMMUNITIES",
    ],
  ])("%s", (_, attributes, name) => {
    const {
      discarded,
      announced: found,
      attributes: read,
    } = readUpdate(update("", `${mandatory}${attributes}`, announced), usualSession);
    expect(discarded.map((damage) => damage.attribute)).toEqual([name]);
    expect(texts(found)).toEqual(["198.51.100.0/24"]);
    expect([read.aggregator, read.isAtomicAggregate]).toEqual([null, false]);
    expect(read.communities).toEqual(name === "COMMUNITIES" ? [[64_500, 1]] : []);
  });
});

test("an UPDATE with routes of both families has a next hop for each", () => {
  const {
    announced: found,
    attributes,
    multiprotocol,
  } = readUpdate(update("", `${mandatory}${reach(ipv6)}`, announced), usualSession);
  expect(texts(found)).toEqual(["198.51.100.0/24", "2001:db8:51::/48"]);
  const hops = [attributes, multiprotocol?.attributes].map((one) =>
    formatAddress(one?.nextHop ?? new Uint8Array(16)),
  );
  expect([multiprotocol?.from, ...hops]).toEqual([1, "192.0.2.1", "2001:db8:1::1"]);
});

describe("AS numbers of four bytes in a session of two", () => {
  const narrow: SessionFacts = { ...usualSession, asnBytes: 2 };
  const path = attribute(0x40, 2, "0204fbf45ba05ba0fbf6");
  const wide = attribute(0xc0, 17, "0203fa56ea00fa56ea010000fbf6");
  const aggregator = (asn: string) => attribute(0xc0, 7, `${asn}c0000207`);
  const wideAggregator = attribute(0xc0, 18, "fa56ea02c0000208");
  const whole = "64500 4200000000 4200000001 64502";

  test.each([
    ["AS4_PATH alone", wide, whole, null],
    ["with an AGGREGATOR of two bytes alone", `${wide}${aggregator("fbf6")}`, whole, 64_502],
    [
      "with AS_TRANS and AS4_AGGREGATOR",
      `${wide}${aggregator("5ba0")}${wideAggregator}`,
      whole,
      4_200_000_002,
    ],
    [
      "not where both AGGREGATORs disagree",
      `${wide}${aggregator("fbf6")}${wideAggregator}`,
      "64500 23456 23456 64502",
      64_502,
    ],
    ["AS4_AGGREGATOR alone says nothing", `${wide}${wideAggregator}`, whole, null],
    [
      "an AS4_PATH that is longer counts for nothing",
      attribute(0xc0, 17, `0205${"fa56ea00".repeat(5)}`),
      "64500 23456 23456 64502",
      null,
    ],
    [
      "segments of a confederation in it are passed over",
      attribute(0xc0, 17, "03010000fbf70203fa56ea00fa56ea010000fbf6"),
      whole,
      null,
    ],
  ])("count: %s", (_, more, text, asn) => {
    const message = update("", `${origin}${path}${nextHop}${more}`, announced);
    const { attributes } = readUpdate(message, narrow);
    expect([formatAsPath(attributes.asPath), attributes.aggregator?.asn ?? null]).toEqual([text, asn]);
  });

  test("AS 0 in one costs it alone, and in the narrow ones as in a session of four (RFC 7607)", () => {
    const zero = attribute(0xc0, 17, "0203fa56ea00000000000000fbf6");
    const { discarded, attributes } = readUpdate(
      update("", `${origin}${path}${nextHop}${zero}${aggregator("0000")}`, announced),
      narrow,
    );
    expect(discarded.map((one) => one.attribute)).toEqual(["AS4_PATH", "AGGREGATOR"]);
    expect([formatAsPath(attributes.asPath), attributes.aggregator]).toEqual([
      "64500 23456 23456 64502",
      null,
    ]);
    const inPath = update("", `${origin}${attribute(0x40, 2, "0202fbf40000")}${nextHop}`, announced);
    expect(failureOf(inPath, narrow).damage.attribute).toBe("AS_PATH");
  });

  test("are ignored in a session of four", () => {
    const aggregators = `${attribute(0xc0, 7, "00005ba0c0000207")}${wideAggregator}`;
    const { attributes } = readUpdate(
      update("", `${mandatory}${wide}${aggregators}`, announced),
      usualSession,
    );
    expect([formatAsPath(attributes.asPath), attributes.aggregator?.asn]).toEqual(["64500", 23_456]);
  });
});
