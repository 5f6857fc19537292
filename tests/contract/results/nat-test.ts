/** A path behind a NAT that leaves quotes as they are, from hop 2 on, and marks that hop 3 receives otherwise. */
import { expect } from "bun:test";
import { viewOf } from "../../../lib/answers/results/views.ts";
import { paletteFor } from "../../../lib/base/terminal/colour.ts";
import type { RawReply, RawRows } from "./raw-rows.ts";

const own = "192.0.2.1";
const outside = "203.0.113.1";
const target = "203.0.113.9";
const startMs = Date.now() - 3_700_000;

/** What each hop quotes. */
const hops: readonly Partial<RawReply>[] = [
  { quotedTrafficClass: 0xba },
  { quotedTrafficClass: 0xba, rewritten: 9, quotedSource: outside },
  { quotedTrafficClass: 0x22, rewritten: 9, quotedSource: outside },
  // An echo reply quotes nothing.
  { from: target, icmpType: 0 },
];

export function pathBehindNat(measurement: string): RawRows {
  const flow = { source: own, destination: target, protocol: 1, srcPort: 24_000, dstPort: 0 };
  const sent = { measurement, agent: "west", ...flow };
  return {
    probes: hops.map((_, i) => ({ ...sent, index: i, ttl: i + 1, timeMs: startMs })),
    replies: hops.map((hop, i) => ({
      ...{ ...sent, sender: "west", instance: 0, labels: [], ttl: i + 1, from: `198.51.100.${i + 1}` },
      ...{
        timeNs: BigInt(startMs + i) * 1_000_000n,
        rttTenthMs: 10,
        replyProtocol: 1,
        icmpType: 11,
        icmpCode: 0,
      },
      ...hop,
    })),
  };
}

/** `text`: brief rows, which the view draws. */
export function checkNat(
  rows: readonly unknown[],
  { text, csv }: Readonly<Record<"text" | "csv", string>>,
): void {
  const changed = { rewritten: ["source", "checksum"], quoted_sources: [outside] };
  const unchanged = { rewritten: [], quoted_sources: [] };
  expect(rows).toMatchObject([
    {
      nat_ttl: 2,
      hops: [
        { routers: [{ quoted_traffic_classes: [0xba], next_hop_mtus: [], ...unchanged }] },
        { routers: [{ quoted_traffic_classes: [0xba], ...changed }] },
        { routers: [{ quoted_traffic_classes: [0x22], ...changed }] },
        { routers: [{ address: target }] },
      ],
    },
  ]);
  expect(JSON.stringify(rows[0])).not.toContain("sites");
  const view = viewOf("paths");
  const drawn = view.pen(paletteFor(false, undefined), []).draw(new TextEncoder().encode(text));
  const marked = new TextDecoder()
    .decode(drawn ?? new Uint8Array())
    .split("\n")
    .filter((line) => line.includes("NAT"));
  expect(marked).toHaveLength(1);
  expect(marked[0]).toMatch(/^ *2 .*behind a NAT: source 203\.0\.113\.1, checksum/);
  const [names = "", ...lines] = csv.trimEnd().split("\n");
  const place = names.split(",").indexOf("rewritten");
  expect(
    lines.map((line) =>
      line
        .split(",")
        .slice(place, place + 2)
        .join(" "),
    ),
  ).toEqual([" ", `source|checksum ${outside}`, `source|checksum ${outside}`, " "]);
  expect(JSON.stringify(view.picture?.(rows))).toContain("NAT");
}
