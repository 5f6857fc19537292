import { describe, expect, test } from "bun:test";
import { formatLineError } from "../../lib/net/wire/line-error.ts";
import { formatProbeLine } from "../../lib/net/wire/probe-line.ts";
import { ProbeLineReader } from "./probe-line-reader.ts";

/** What a reader makes of a file that comes in chunks of these bytes. */
function read(text: string, chunkBytes: number): string[] {
  const seen: string[] = [];
  const reader = new ProbeLineReader("probes.csv", {
    onProbe: (probe, line) => seen.push(`${line} ${formatProbeLine(probe)}`),
    onError: (error) => seen.push(formatLineError(error)),
  });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    reader.push(bytes.subarray(at, at + chunkBytes));
  }
  reader.finish();
  return seen;
}

const file = [
  "\ufeff# a comment",
  "192.0.2.1,24000,33434,1,udp\r",
  "",
  "   \t",
  "  # another, with 7, commas,",
  "192.0.2.1,24000,33434,0,udp",
  "2001:db8::1,24000,0,255,icmpv6",
].join("\n");

const expected = [
  "2 192.0.2.1,24000,33434,1,UDP",
  'probes.csv:6: TTL "0" is not a number from 1 to 255',
  "7 2001:db8::1,24000,0,255,ICMPv6",
];

describe("a file of probe lines", () => {
  test.each([1, 2, 3, 7, 28, 1000])("reads the same in chunks of %d bytes", (chunkBytes) => {
    expect(read(file, chunkBytes)).toEqual(expected);
    expect(read(`${file}\n`, chunkBytes)).toEqual(expected);
  });

  test("that is empty holds nothing", () => {
    expect(read("", 1)).toEqual([]);
  });

  test("has a byte order mark only at its start", () => {
    expect(read("\ufeff192.0.2.1,1,1,1,udp\n\ufeff192.0.2.1,1,1,1,udp", 10)).toEqual([
      "1 192.0.2.1,1,1,1,UDP",
      'probes.csv:2: "???192.0.2.1" is not an IP address',
    ]);
  });

  test.each([16, 5000])(
    "has a line too long refused, a long comment skipped (chunks of %d)",
    (chunkBytes) => {
      const long = "9".repeat(3000);
      expect(read(`${long}\n#${long}\n192.0.2.1,1,1,1,udp\n${long}`, chunkBytes)).toEqual([
        "probes.csv:1: Line has 3000 bytes, more than 1024",
        "3 192.0.2.1,1,1,1,UDP",
        "probes.csv:4: Line has 3000 bytes, more than 1024",
      ]);
    },
  );
});
