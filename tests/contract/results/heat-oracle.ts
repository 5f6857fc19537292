/** The heat map of some raw rows, in plain TypeScript (oracle.ts). */
import { groups } from "./oracle.ts";
import { knownRttMs, type RawReply, type RawRows } from "./raw-rows.ts";

const seconds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800];
const hours = [1, 2, 6, 12, 24, 168, 720, 8760];
const widthsMs = [...seconds.map((one) => one * 1000), ...hours.map((one) => one * 3_600_000)];

export function expectedHeatmap({ replies }: RawRows) {
  const known = replies.filter((reply) => knownRttMs(reply) !== null);
  const widthMs = widthsMs.find(
    (one) => Math.max(...known.map(bin(one))) - Math.min(...known.map(bin(one))) < 300,
  );
  const width = widthMs ?? 1;
  return [...groups(known, (reply) => String(bin(width)(reply)))]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([at, own]) => {
      const rtts = own.map((reply) => Math.round(1000 * (knownRttMs(reply) ?? 0))).sort((a, b) => a - b);
      const level = (part: number) => (rtts[Math.ceil(part * rtts.length) - 1] ?? 0) / 1000;
      return {
        time: new Date(Number(at) * width).toISOString(),
        ...{ width_ms: width, replies: own.length },
        ...{ rtt_p5_ms: level(0.05), rtt_median_ms: level(0.5), rtt_p95_ms: level(0.95) },
        buckets: bucketsOf(rtts),
      };
    });
}

function bin(widthMs: number) {
  return ({ timeNs }: RawReply) => Math.floor(Number(timeNs / 1_000_000n) / widthMs);
}

const edges = [0];
for (let us = 1; us <= 10_000_000; us++) {
  if (us === 1 || Math.floor(20 * Math.log10(us) + 1e-9) > Math.floor(20 * Math.log10(us - 1) + 1e-9)) {
    edges.push(us);
  }
}

/** 20 for each factor of ten, from 1 µs; each holds whole microseconds. */
function bucketsOf(rtts: readonly number[]) {
  return edges.flatMap((edge, i) => {
    const next = edges[i + 1] ?? 0;
    const count = rtts.filter((us) => us >= edge && us < next).length;
    return count === 0 ? [] : [{ rtt_from_ms: edge / 1000, rtt_to_ms: next / 1000, replies: count }];
  });
}
