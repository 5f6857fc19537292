import { expect, test } from "bun:test";
import fc from "fast-check";
import { atOnce } from "../../../../lib/base/list/steps.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { formatPrefix, parsePrefix, prefixOf } from "../../../../lib/net/ip/prefix.ts";
import { TargetReader } from "./target-list.ts";
import { UnitTable } from "./units.ts";

const lengths = { ipv4: 24, ipv6: 64 };

/** Reads it in chunks of so many bytes. */
function read(text: string, chunkBytes = 7) {
  const reader = new TargetReader();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    reader.push(bytes.subarray(at, at + chunkBytes));
  }
  return atOnce(reader.finish());
}

/** Entries as `address/length of 128`, in the list's order. */
function entries(text: string, chunkBytes?: number): string[] {
  const list = read(text, chunkBytes);
  const base = new Uint8Array(16);
  return Array.from({ length: list.size }, (_, at) => {
    const length = list.read(at, base);
    return `${formatAddress(base)}/${length}`;
  });
}

const bytesOf = (count: number) => fc.uint8Array({ minLength: count, maxLength: count });
const prefix = fc.oneof(
  fc.tuple(bytesOf(2), fc.integer({ min: 0, max: 32 })).map(([[a = 0, b = 0], length]) => {
    const base = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a % 4, b, a, b);
    return formatPrefix(prefixOf(base, length));
  }),
  fc
    .tuple(bytesOf(16), fc.integer({ min: 0, max: 128 }), fc.integer({ min: 0, max: 15 }))
    .map(([bytes, length, zeros]) => formatPrefix(prefixOf(bytes.fill(0, 0, zeros), length))),
);

test("entries come in the order of addresses, wider ones first, wherever the chunks are cut", () => {
  fc.assert(
    fc.property(fc.array(prefix, { minLength: 1 }), fc.integer({ min: 1, max: 40 }), (lines, chunkBytes) => {
      const parsed = lines.map((line) => parsePrefix(line) ?? expect.unreachable());
      const sorted = parsed
        .map(({ base, length, family }) => ({ base, length: family === 4 ? 96 + length : length }))
        .toSorted((a, b) => Buffer.compare(a.base, b.base) || a.length - b.length);
      expect(entries(lines.join("\n"), chunkBytes)).toEqual(
        sorted.map(({ base, length }) => `${formatAddress(base)}/${length}`),
      );
    }),
  );
});

test("a line is what parsePrefix takes it for", () => {
  const part = fc.constantFrom("0", "1", "9", "00", "01", "255", "256", "1000", "", " ", "a");
  const tail = fc.constantFrom(
    "",
    "/0",
    "/8",
    "/24",
    "/32",
    "/33",
    "/024",
    "/",
    "/2x",
    "/-1",
    ".1",
    "\r",
    " ",
  );
  const ipv4 = fc.tuple(part, part, part, part, tail).map(([a, b, c, d, end]) => `${a}.${b}.${c}.${d}${end}`);
  const group = fc.constantFrom("0", "9", "00ff", "fffff", "", "A0", "1.2.3.4");
  const ipv6 = fc
    .tuple(
      fc.constantFrom("2001:db8::", "::", "1:2:3:4:5:6:"),
      group,
      group,
      fc.oneof(tail, fc.constant("/128")),
    )
    .map(([head, a, b, end]) => `${head}${a}:${b}${end}`);
  const line = fc.oneof(ipv4, ipv6);
  fc.assert(
    fc.property(line, (text) => {
      const parsed = parsePrefix(text.trim());
      if (parsed === null) {
        expect(() => read(text)).toThrow("line 1: ");
      } else {
        const bits = parsed.length + (parsed.family === 4 ? 96 : 0);
        expect(entries(text)).toEqual([`${formatAddress(parsed.base)}/${bits}`]);
      }
    }),
    { numRuns: 2000 },
  );
});

/** The bits of 128 that a prefix has in common. */
function bitsOf(line: string): string {
  const { base, length, family } = parsePrefix(line) ?? expect.unreachable();
  const bits = [...base].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.slice(0, family === 4 ? 96 + length : length);
}

const isMapped = (bits: string) => bits.startsWith("0".repeat(80) + "1".repeat(16));

test("units are the prefixes that no other holds", async () => {
  const narrow = prefix.filter((text) => Number(text.split("/")[1]) >= (text.includes(":") ? 56 : 8));
  await fc.assert(
    fc.asyncProperty(fc.array(narrow, { minLength: 1 }), async (lines) => {
      const all = [...new Set(lines.map(bitsOf))];
      const kept = all.filter((own) => !all.some((other) => other !== own && own.startsWith(other)));
      const table = await UnitTable.of(read(lines.join("\n")), lengths);
      expect([table.contained, table.subnets]).toEqual([
        lines.length - kept.length,
        kept.reduce((sum, bits) => sum + 2 ** Math.max(0, (isMapped(bits) ? 120 : 64) - bits.length), 0),
      ]);
      const sum = Array.from({ length: table.size }, (_, at) => table.at(at).subnets);
      expect(sum.reduce((a, b) => a + b, 0)).toBe(table.subnets);
    }),
  );
});

test("comments, blanks and ends of other systems are passed over; a bad line is named by its number", () => {
  expect(entries("# all\n\n 192.0.2.0/24 # ours\r\n198.51.100.7\r\n\n2001:db8::/32\n")).toEqual([
    "192.0.2.0/120",
    "198.51.100.7/128",
    "2001:db8::/32",
  ]);
  expect(() => read("192.0.2.0/24\n\n192.0.2.1/24\n")).toThrow('line 3: "192.0.2.1/24" is not');
  expect(() => read("192.0.2.0/24\nx")).toThrow('line 2: "x" is not');
  expect(() => read(`192.0.2.0/24\n#${" ".repeat(2000)}`)).toThrow("line 2: has more than 1024 bytes");
  expect(() => read("# nothing\n")).toThrow("must name a target");
});
