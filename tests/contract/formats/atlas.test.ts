/** Results in the shape of RIPE Atlas against the library that its users read them with. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { pingWriters, traceWriters } from "../../../lib/measuring/formats/forms.ts";
import type { Ping } from "../../../lib/measuring/formats/ping.ts";
import type { Trace, TraceReply } from "../../../lib/measuring/formats/trace.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import { inTier } from "../../run/tier.ts";
import { pythonLines } from "./python-lines.ts";
import { randomPing } from "./random-pings.ts";
import { randomTrace } from "./random-traces.ts";

const sagan = "ripe.atlas.sagan==2.0.1";
const traces = fc.sample(randomTrace, { numRuns: inTier({ usual: 300, long: 10_000 }), seed: 6 });

/** One line for each result: what it understood. */
const reader = `
import json, sys
from ripe.atlas.sagan import Result
for line in sys.stdin:
    r = Result.get(line, on_error=Result.ACTION_IGNORE, on_malformation=Result.ACTION_FAIL)
    print(json.dumps([r.is_error, r.is_malformed, r.destination_address, r.source_address, r.protocol, r.af,
      [[h.index, [[p.origin, p.rtt, p.ttl, p.is_error] for p in h.packets]] for h in r.hops]]))
`;

const pingReader = `
import json, sys
from ripe.atlas.sagan import Result
for line in sys.stdin:
    r = Result.get(line, on_error=Result.ACTION_IGNORE, on_malformation=Result.ACTION_FAIL)
    print(json.dumps([r.is_error, r.is_malformed, r.destination_address, r.protocol, r.packets_sent,
      r.packets_received, r.rtt_min, r.rtt_max, sorted(p.rtt for p in r.packets if p.rtt is not None)]))
`;

beforeAll(async () => {
  await pythonFolder(sagan);
});

async function readBy(program: string, lines: readonly Uint8Array[]): Promise<unknown[]> {
  const python = join(await pythonFolder(sagan), "bin/python");
  return await pythonLines([python, "-W", "ignore", "-c", program], Buffer.concat(lines));
}

test("ripe.atlas.sagan reads 10,000 traces, each answer as it was", async () => {
  const writer = traceWriters.atlas();
  const read = await readBy(
    reader,
    traces.map((trace) => writer.row(trace)),
  );
  expect(read).toHaveLength(traces.length);
  for (const [i, trace] of traces.entries()) {
    expect(read[i]).toEqual(expected(trace));
  }
});

test("ripe.atlas.sagan reads 10,000 pings: the figures of what the destination answered", async () => {
  const pings = fc.sample(randomPing, { numRuns: inTier({ usual: 300, long: 10_000 }), seed: 9 });
  const writer = pingWriters.atlas();
  const read = await readBy(
    pingReader,
    pings.map((ping) => writer.row(ping)),
  );
  expect(read).toHaveLength(pings.length);
  for (const [i, ping] of pings.entries()) {
    expect(read[i]).toEqual(expectedPing(ping));
  }
});

function expectedPing({ address, protocol, sent, replies }: Ping) {
  const own = replies.filter(({ reply_src_addr: from }) => from === address);
  const rtts = own.flatMap(({ rtt_ms: rtt }) => (rtt === null ? [] : [rtt]));
  const name = protocol.startsWith("ICMP") ? "ICMP" : protocol;
  const least = rtts.length === 0 ? null : Math.min(...rtts);
  return [
    ...[false, false, address, name, sent, own.length],
    ...[least, rtts.length === 0 ? null : Math.max(...rtts)],
    rtts.toSorted((a, b) => a - b),
  ];
}

function expected(trace: Trace) {
  const { address, protocol, probes, replies } = trace;
  const isV6 = address.includes(":");
  const hops = probes.map(({ ttl, sent }) => {
    const own = replies.filter(({ probe_ttl: at }) => at === ttl);
    return [
      ttl,
      [
        ...own.map((reply) => {
          const { reply_src_addr: from, rtt_ms: rtt, reply_ttl: left } = reply;
          return [from, rtt, left, isRefusal(reply, protocol)];
        }),
        ...Array.from({ length: sent - own.length }, () => [null, null, null, false]),
      ],
    ];
  });
  const source = replies[0]?.probe_src_addr ?? null;
  const name = protocol.startsWith("ICMP") ? "ICMP" : protocol;
  return [false, false, address, source, name, isV6 ? 6 : 4, hops];
}

/** A port that is closed is what a trace by UDP or TCP hopes for. */
function isRefusal(
  { reply_protocol: answer, reply_icmp_type: type, reply_icmp_code: code }: TraceReply,
  sent: string,
) {
  const isUnreachable = (answer === 58 && type === 1) || (answer === 1 && type === 3);
  const isPort = code === (answer === 58 ? 4 : 3);
  return isUnreachable && !(isPort && !(sent === "ICMP" && answer === 1));
}
