import { expect, test } from "bun:test";
import { formatPrefix } from "../../ip/prefix.ts";
import { pduBytesMax } from "./limits.ts";
import { pduLength, type RtrVersion, readPdu } from "./pdu.ts";
import { errorReport, resetQuery, serialQuery } from "./queries.ts";
import { RtrFailure } from "./rtr-failure.ts";

const bytesOf = (hex: string) => Uint8Array.fromHex(hex.replaceAll(" ", ""));

/** As RFC 8210 s.5 draws them. */
const vectors = {
  serialNotify: "01 00 1234 0000000c 00000007",
  cacheResponse: "01 03 1234 00000008",
  ipv4Prefix: "01 04 0000 00000014 01 18 1a 00 c0000200 0000fbf4",
  ipv6Prefix: "01 06 0000 00000020 00 20 30 00 20010db8000000000000000000000000 fffffffe",
  endOfData: "01 07 1234 00000018 00000007 00000e10 00000258 00001c20",
  endOfData0: "00 07 1234 0000000c 00000007",
  cacheReset: "01 08 0000 00000008",
  routerKey: `01 09 0100 0000007b ${"11".repeat(20)} 0000fbf4 ${"22".repeat(91)}`,
  errorReport: "01 0a 0002 00000016 00000000 00000006 6e6f20646174",
  aspa: "02 0b 0100 00000014 0000fbf4 0000fbf5 0000fbf6",
};

function shown(hex: string, version: RtrVersion = 1) {
  const pdu = readPdu(bytesOf(hex), version);
  if (pdu.type !== "prefix") {
    return pdu;
  }
  const { prefix, maxLength, asn } = pdu.vrp;
  return `${pdu.isAnnounced ? "+" : "-"} ${formatPrefix(prefix)}-${maxLength} AS${asn}`;
}

test("each PDU of a cache is read as the RFC draws it", () => {
  expect(shown(vectors.serialNotify)).toEqual({ type: "serial notify", session: 0x1234, serial: 7 });
  expect(shown(vectors.cacheResponse)).toEqual({ type: "cache response", session: 0x1234 });
  expect(shown(vectors.ipv4Prefix)).toBe("+ 192.0.2.0/24-26 AS64500");
  expect(shown(vectors.ipv6Prefix)).toBe("- 2001:db8::/32-48 AS4294967294");
  expect(shown(vectors.endOfData)).toEqual({
    ...{ type: "end of data", session: 0x1234, serial: 7 },
    intervals: { refreshSec: 3600, retrySec: 600, expireSec: 7200 },
  });
  expect(shown(vectors.endOfData0, 0)).toMatchObject({ serial: 7, intervals: null });
  expect(shown(vectors.cacheReset)).toEqual({ type: "cache reset" });
  expect(shown(vectors.routerKey)).toEqual({ type: "router key" });
  expect(shown(vectors.errorReport)).toEqual({ type: "error report", code: 2, text: "no dat" });
  expect(shown(vectors.aspa, 2)).toEqual({ type: "aspa" });
});

test("queries and reports are written as the RFC draws them", () => {
  const hex = (bytes: Uint8Array) => bytes.toHex();
  expect(hex(resetQuery(1))).toBe("0102000000000008");
  expect(hex(serialQuery(0, { session: 0x1234, serial: 0xfffffffe }))).toBe("000112340000000cfffffffe");
  const wrong = bytesOf(vectors.cacheReset);
  expect(hex(errorReport(1, { code: 5, wrong, text: "no" }))).toBe(
    "010a00050000001a00000008010800000000000800000002".concat("6e6f"),
  );
  // A long one is quoted by its begin.
  const report = readPdu(errorReport(1, { code: 0, wrong: new Uint8Array(70_000), text: "é" }), 1);
  expect(report).toEqual({ type: "error report", code: 0, text: "é" });
});

test.each([
  ["a prefix longer than its longest", "01 04 0000 00000014 01 18 17 00 c0000200 0000fbf4", 0],
  ["a longest length of 33", "01 04 0000 00000014 01 18 21 00 c0000200 0000fbf4", 0],
  ["a longest length of 129", `01 06 0000 00000020 01 20 81 00 20010db8${"00".repeat(12)} 0000fbf4`, 0],
  ["bits behind the prefix", "01 04 0000 00000014 01 18 18 00 c0000201 0000fbf4", 0],
  ["IPv4 in IPv6", `01 06 0000 00000020 01 78 80 00 ${"00".repeat(10)}ffffc0000200 0000fbf4`, 0],
  ["a prefix with a byte more", "01 04 0000 00000015 01 18 18 00 c0000200 0000fbf4 00", 0],
  ["an End of Data of version 0 in version 1", "01 07 1234 0000000c 00000007", 0],
  ["a query", "01 02 0000 00000008", 0],
  ["a type that nobody knows", "01 05 0000 00000008", 5],
  ["an error report that is longer than it says", "01 0a 0002 00000016 00000000 00000005 6e6f20646174", null],
  ["an error report without a text", "01 0a 0002 0000000c 00000000", null],
])("refuses %s", (_, hex, code) => {
  expect(() => readPdu(bytesOf(hex), 1)).toThrow(RtrFailure);
  try {
    readPdu(bytesOf(hex), 1);
  } catch (error) {
    expect(error).toMatchObject({ code });
  }
});

test("version 0 has neither keys of routers nor ASPAs", () => {
  for (const hex of [vectors.routerKey, vectors.aspa]) {
    expect(() => readPdu(bytesOf(hex), 0)).toThrow(expect.objectContaining({ code: 5 }));
  }
});

test("a length is what the head says, within bounds", () => {
  const head = (length: number) => bytesOf(`01 04 0000 ${length.toString(16).padStart(8, "0")}`);
  expect(pduLength(head(20), 0)).toBe(20);
  expect(pduLength(head(20), 1)).toBeNull();
  expect(pduLength(head(pduBytesMax), 0)).toBe(pduBytesMax);
  for (const length of [0, 7, pduBytesMax + 1, 0xffffffff]) {
    expect(() => pduLength(head(length), 0)).toThrow(expect.objectContaining({ code: 0 }));
  }
});
