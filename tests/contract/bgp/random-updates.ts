/** Well-formed UPDATEs in records of MRT, of sessions with AS numbers of two and of four bytes. */
import fc from "fast-check";

type Segment = readonly [type: 1 | 2, asns: readonly number[]];

export interface RandomUpdate {
  /** Bytes of an AS number in the session. */
  readonly asnBytes: 2 | 4;
  readonly path: readonly Segment[];
  /** AS4_PATH: null = none; else how many of the last ASes of the path it has, and ASes in front of these. */
  readonly wide: { readonly last: number; readonly more: number } | null;
  readonly aggregator: "none" | "narrow" | "trans" | "narrow with wide" | "trans with wide" | "wide alone";
  readonly families: "4" | "6" | "both";
  readonly communities: readonly (readonly [number, number])[];
}

const asTrans = 23_456;
const asn = fc.oneof(fc.integer({ min: 1, max: 65_000 }), fc.integer({ min: 70_000, max: 4_200_000_000 }));
const sequence = fc.tuple(fc.constant(2 as const), fc.array(asn, { minLength: 1, maxLength: 5 }));
const set = fc.tuple(fc.constant(1 as const), fc.uniqueArray(asn, { minLength: 2, maxLength: 3 }));
const aggregators = ["none", "narrow", "trans", "narrow with wide", "trans with wide", "wide alone"] as const;

export const randomUpdate: fc.Arbitrary<RandomUpdate> = fc.record({
  asnBytes: fc.constantFrom(2, 4),
  path: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(sequence) },
    { weight: 1, arbitrary: fc.tuple(sequence, set) },
  ),
  wide: fc.option(fc.record({ last: fc.nat({ max: 6 }), more: fc.constantFrom(0, 0, 0, 1, 9) })),
  aggregator: fc.constantFrom(...aggregators),
  families: fc.constantFrom("4", "6", "both"),
  communities: fc.array(fc.tuple(fc.integer({ min: 1, max: 64_000 }), fc.integer({ min: 0, max: 65_000 })), {
    maxLength: 3,
  }),
});

const hex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, "0");

function attribute(flags: number, type: number, value: string): string {
  return `${hex(flags, 1)}${hex(type, 1)}${hex(value.length / 2, 1)}${value}`;
}

function pathValue(path: readonly Segment[], bytes: 2 | 4): string {
  const narrow = (one: number) => (bytes === 2 && one > 0xffff ? asTrans : one);
  return path
    .map(([type, asns]) => {
      return `${hex(type, 1)}${hex(asns.length, 1)}${asns.map((one) => hex(narrow(one), bytes)).join("")}`;
    })
    .join("");
}

/** The last segments with so many ASes of the path's sequence, and `more` ASes in front. */
function widePath(
  path: readonly Segment[],
  { last, more }: NonNullable<RandomUpdate["wide"]>,
): readonly Segment[] {
  const [first, ...others] = path;
  const asns = [...Array<number>(more).fill(4_199_999_999), ...(first?.[1].slice(-Math.max(1, last)) ?? [])];
  return [[2, asns], ...others];
}

function aggregatorsOf({ aggregator, asnBytes }: RandomUpdate): string {
  const own = aggregator.startsWith("trans") ? asTrans : 64_502;
  const isThere = aggregator !== "none" && aggregator !== "wide alone";
  return [
    isThere ? attribute(0xc0, 7, `${hex(own, asnBytes)}c0000207`) : "",
    aggregator.endsWith("wide") || aggregator === "wide alone" ? attribute(0xc0, 18, "fa56ea02c0000208") : "",
  ].join("");
}

/** The record with this number, which its prefixes have: 10.X.Y.0/24, and 2001:db8:N::/48. */
export function recordOf(update: RandomUpdate, number: number): Buffer {
  const { asnBytes, path, wide, families, communities } = update;
  const reach = `000201${hex(16, 1)}20010db8${"0".repeat(23)}900${hex(48, 1)}20010db8${hex(number, 2)}`;
  const attributes = [
    attribute(0x40, 1, "00"),
    attribute(0x40, 2, pathValue(path, asnBytes)),
    families === "6" ? "" : attribute(0x40, 3, "c0000201"),
    communities.length === 0
      ? ""
      : attribute(0xc0, 8, communities.map(([one, two]) => `${hex(one, 2)}${hex(two, 2)}`).join("")),
    families === "4" ? "" : attribute(0x80, 14, reach),
    wide === null ? "" : attribute(0xc0, 17, pathValue(widePath(path, wide), 4)),
    aggregatorsOf(update),
  ].join("");
  const announced = families === "6" ? "" : `${hex(24, 1)}0a${hex(number, 2)}`;
  const body = `0000${hex(attributes.length / 2, 2)}${attributes}${announced}`;
  const message = `${"ff".repeat(16)}${hex(19 + body.length / 2, 2)}02${body}`;
  const session = `${hex(64_500, asnBytes)}${hex(64_510, asnBytes)}00000001c0000209c0000201`;
  const record = `${session}${message}`;
  const head = `${hex(1_795_000_000, 4)}0010${hex(asnBytes === 2 ? 1 : 4, 2)}${hex(record.length / 2, 4)}`;
  return Buffer.from(`${head}${record}`, "hex");
}
