/** Probe lines have one meaning: what reads plain ones fast agrees with the parser that defines them. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatLineError } from "../../lib/net/wire/line-error.ts";
import { PlainLines } from "../../lib/net/wire/plain-line.ts";
import { encodeProbe, probeMessageBytes } from "../../lib/net/wire/probe-codec.ts";
import { formatProbeLine, parseProbeLine } from "../../lib/net/wire/probe-line.ts";
import { ProbeMessageReader } from "../../lib/net/wire/probe-message-reader.ts";
import { ProbeLineReader } from "../packet/probe-line-reader.ts";
import { inTier } from "../run/tier.ts";
import { arbitraryProbe } from "./arbitrary.ts";

const runs = { numRuns: inTier({ usual: 5000, long: 20_000 }) };
const plain = new PlainLines();

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The message of a line, or null when it is left to the parser. */
function plainMessage(line: Uint8Array): string | null {
  const into = new Uint8Array(probeMessageBytes);
  return plain.read(line, 0, into, 0) < 0 ? null : hex(into);
}

/** Pieces that lines are made of, right and wrong, so that chance comes close to what is nearly right. */
const piece = fc.constantFrom(
  ...[
    "192.0.2.1",
    "1",
    "0",
    "255",
    "256",
    "65535",
    "65536",
    "00080",
    "01",
    "2001:db8::1",
    "::",
    "1::",
    "::1",
  ],
  ...[
    "ffff",
    "fffff",
    ":",
    ".",
    ",",
    "udp",
    "UDP",
    "ICMPv6",
    "icmp",
    "tcp",
    " ",
    "\t",
    "\r",
    "\n",
    "#",
    "-1",
    "x",
  ],
  ...[
    "::ffff:1.2.3.4",
    "::ffff:102:304",
    "1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7::",
    "::2:3:4:5:6:7:8",
    "1::3:4:5:6:7:8",
  ],
);
const address = fc.oneof(
  fc.constantFrom("192.0.2.1", "2001:db8::1", "192.0.2.256", "192.0.02.1", "0.0.0.0", "192.0.2.1.1"),
  fc
    .array(fc.constantFrom("0", "1", "ab", "FFFF", "12345", ":", "::", "."), { maxLength: 17 })
    .map((all) => all.join("")),
  fc.array(fc.constantFrom("", "0", "1", "ffff"), { minLength: 2, maxLength: 9 }).map((all) => all.join(":")),
);
/** Right more often than not, so that one wrong field is not hidden behind another. */
const mostly = (...right: string[]) => fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...right) }, piece);
const number = mostly("1", "7", "00080", "255");
const protocol = mostly("udp", "UDP", "tcp", "icmp", "ICMPv6");
const nearlyLine = fc.oneof(
  fc.tuple(address, number, number, number, protocol).map((fields) => fields.join(",")),
  fc.array(piece, { maxLength: 12 }).map((all) => all.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
);

test("what programs write is read fast, and right", () => {
  fc.assert(
    fc.property(arbitraryProbe, (probe) => {
      expect(plainMessage(bytesOf(`${formatProbeLine(probe)}\n`))).toBe(hex(encodeProbe(probe)));
    }),
    runs,
  );
});

test("what is read fast is a probe line, and the same probe", () => {
  let read = 0;
  fc.assert(
    fc.property(nearlyLine, (text) => {
      const line = bytesOf(`${text}\n`);
      const message = plainMessage(line);
      if (message !== null) {
        read++;
        const result = parseProbeLine(line.subarray(0, line.indexOf(0x0a)));
        expect(result.ok ? hex(encodeProbe(result.probe)) : result.message).toBe(message);
      }
    }),
    runs,
  );
  // Measured: a twentieth of these lines.
  expect(read).toBeGreaterThan(runs.numRuns / 50);
});

test("a JSON array that is read fast is JSON, and the probe of its line", () => {
  let read = 0;
  const gap = fc.constantFrom("", "", " ", "\t");
  const quoted = (field: fc.Arbitrary<string>) => field.map((text) => `"${text}"`);
  const fields = fc.tuple(
    ...[quoted(address), gap, number, gap, number, gap, number, gap, quoted(protocol), gap],
  );
  fc.assert(
    fc.property(fields, ([dst, a, src, b, dport, c, ttl, d, name, e]) => {
      const text = `[${a}${dst}${b},${src},${c}${dport}${d},${ttl},${e}${name}${a}]`;
      const into = new Uint8Array(probeMessageBytes);
      const end = plain.readJson(bytesOf(`${text}]`), 0, into, 0);
      if (end >= 0) {
        read++;
        expect(end).toBe(text.length);
        const result = parseProbeLine(bytesOf(JSON.parse(text).join(",")));
        expect(result.ok ? hex(encodeProbe(result.probe)) : result.message).toBe(hex(into));
      }
    }),
    runs,
  );
  // Measured: a sixtieth of these arrays.
  expect(read).toBeGreaterThan(runs.numRuns / 200);
});

test("a file means the same to both readers, however it is cut into chunks", () => {
  const lines = fc.array(fc.oneof(arbitraryProbe.map(formatProbeLine), nearlyLine), { maxLength: 30 });
  const ends = fc.constantFrom("\n", "\r\n");
  fc.assert(
    fc.property(lines, ends, fc.integer({ min: 1, max: 200 }), (texts, end, chunkBytes) => {
      const file = bytesOf(texts.join(end));
      const expected: string[] = [];
      const onProbe = new ProbeLineReader("f", {
        onProbe: (probe) => expected.push(hex(encodeProbe(probe))),
        onError: (error) => expected.push(formatLineError(error)),
      });
      const seen: string[] = [];
      const probes: string[] = [];
      const onMessages = new ProbeMessageReader("f", {
        onMessages: (messages) => {
          for (let at = 0; at < messages.length; at += probeMessageBytes) {
            probes.push(hex(messages.subarray(at, at + probeMessageBytes)));
          }
        },
        onError: (error) => seen.push(formatLineError(error)),
      });
      for (let at = 0; at < file.length; at += chunkBytes) {
        onProbe.push(file.subarray(at, at + chunkBytes));
        onMessages.push(file.subarray(at, at + chunkBytes));
      }
      onProbe.finish();
      onMessages.finish();
      const isError = (text: string) => text.startsWith("f:");
      expect(seen).toEqual(expected.filter(isError));
      expect(probes).toEqual(expected.filter((text) => !isError(text)));
    }),
    { numRuns: 3000 },
  );
});
