/** Whatever the text and however it is cut, the reader says what JSON.parse says of it. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { JsonItemsReader, JsonSyntaxError } from "../../lib/net/wire/json-items.ts";
import { probeMessageBytes } from "../../lib/net/wire/probe-codec.ts";
import { ProbeJsonParser } from "../../lib/net/wire/probe-json.ts";

interface Read {
  readonly items: unknown[];
  readonly rest: unknown;
}

const parser = new ProbeJsonParser();
const message = new Uint8Array(probeMessageBytes);

/** Plain probes are taken where they lie, as the gateway does. */
function read(text: string, cuts: readonly number[]): Read | null {
  const items: unknown[] = [];
  const reader = new JsonItemsReader({
    member: "probes",
    itemBytesMax: 10_000,
    restBytesMax: 10_000,
    onItem: (item, index) => {
      expect(index).toBe(items.length);
      items.push(JSON.parse(new TextDecoder().decode(item)));
    },
    plainItem: (chunk, from, index) => {
      const end = parser.readPlain(chunk, from, message, 0);
      if (end >= 0) {
        expect(index).toBe(items.length);
        items.push(JSON.parse(new TextDecoder().decode(chunk.subarray(from, end))));
      }
      return end;
    },
  });
  const bytes = new TextEncoder().encode(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  try {
    let at = 0;
    for (const end of ends) {
      reader.push(bytes.slice(at, end));
      at = end;
    }
    return { items, rest: reader.finish().members };
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof SyntaxError) {
      return null;
    }
    throw error;
  }
}

const cutList = fc.array(fc.nat(), { maxLength: 8 });
const name = fc.constantFrom("metadata", "a", 'q"uote', "é", "");

test("items and other members come out as they went in", () => {
  const body = fc.record({
    before: fc.dictionary(name, fc.jsonValue({ maxDepth: 3 })),
    probes: fc.array(
      fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(["192.0.2.1", 24_000, 0, 7, "UDP"])),
    ),
    after: fc.jsonValue({ maxDepth: 2 }),
    indent: fc.constantFrom(0, 2, "\t"),
  });
  fc.assert(
    fc.property(body, cutList, ({ before, probes, after, indent }, cuts) => {
      const text = JSON.stringify({ ...before, probes, after }, null, indent);
      const { probes: items, ...rest } = JSON.parse(text);
      expect(read(text, cuts)).toEqual({ items, rest });
    }),
    { numRuns: 500 },
  );
});

test("a text that is not JSON is never taken for one", () => {
  const good = '{"metadata": [{"id": "a"}], "probes": [["192.0.2.1", 1, 2, 3, "udp"], [1]], "x": 1.5}';
  const change = fc.record({
    at: fc.nat(good.length - 1),
    count: fc.nat(2),
    text: fc.constantFrom("", ",", "]", "[", "}", "{", '"', ":", "1", " ", "\\"),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 3 }), cutList, (changes, cuts) => {
      const text = changes.reduce(
        (text, { at, count, text: other }) => text.slice(0, at) + other + text.slice(at + count),
        good,
      );
      const ours = read(text, cuts);
      const theirs = parsed(text);
      if (ours === null) {
        // What names "probes" twice is refused, though JSON.parse takes the second.
        expect(theirs === null || text.split('"probes"').length > 2).toBe(true);
      } else {
        expect(theirs).toMatchObject(ours.rest as object);
        const { probes = [] } = theirs as { probes?: unknown };
        expect(Array.isArray(probes) ? probes : []).toEqual(ours.items);
      }
    }),
    { numRuns: 3000 },
  );
});

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

test.each<[string, string]>([
  ["an item", `{"probes": ["${"x".repeat(10_000)}"]}`],
  ["the rest", `{"a": "${"x".repeat(10_000)}", "probes": []}`],
  ["a text without an end", `{"probes": ["${"x".repeat(20_000)}`],
])("%s beyond its limit is refused", (_, text) => {
  expect(read(text, [1, 5_000, 15_000])).toBeNull();
});
