/** warts against scamper's own reader: each field of 10,000 traces by chance. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { traceWriters } from "../../../lib/measuring/formats/forms.ts";
import { isTcp, receivedUs, type Trace, type TraceReply } from "../../../lib/measuring/formats/trace.ts";
import { inTier } from "../../run/tier.ts";
import { randomTrace } from "./random-traces.ts";
import { output } from "./scamper.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-warts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "traces.warts");
const traces = fc.sample(randomTrace, { numRuns: inTier({ usual: 300, long: 10_000 }), seed: 5 });

interface ScamperHop {
  readonly probe_id: number;
  readonly rtt: number;
  readonly tx?: { readonly sec: number; readonly usec: number };
  readonly icmpext?: readonly { readonly mpls_labels: readonly object[] }[];
}

interface ScamperTrace {
  readonly type: string;
  readonly hops?: readonly ScamperHop[];
}

test("sc_warts2json reads 10,000 traces, each field as it was", async () => {
  const writer = traceWriters.warts();
  await Bun.write(file, Buffer.concat([...traces.map((trace) => writer.row(trace)), writer.end()]));
  const objects = (await output(["sc_warts2json", file])).trimEnd().split("\n");
  const read = objects.map((line) => JSON.parse(line) as ScamperTrace).filter(({ type }) => type === "trace");
  expect(read).toHaveLength(traces.length);
  for (const [i, trace] of traces.entries()) {
    expect(read[i]).toMatchObject(expectedTrace(trace));
    expect((read[i]?.hops ?? []).map(timesApart)).toEqual(expectedHops(trace).map(timesApart));
    for (const [k, { tx }] of (read[i]?.hops ?? []).entries()) {
      const sent = expectedHops(trace)[k]?.tx;
      expect(tx === undefined ? 0 : tx.sec * 1e6 + tx.usec).toBe(sent ?? 0);
    }
  }
});

test("sc_warts2text and sc_wartsdump read them to the end", async () => {
  const text = await output(["sc_warts2text", file]);
  expect(text.match(/^traceroute from/gm)).toHaveLength(traces.length);
  const dump = await output(["sc_wartsdump", file]);
  expect(dump.match(/^cycle stop/gm)?.length).toBe(3);
});

function expectedTrace(trace: Trace) {
  const { protocol, probes, src_port: srcPort, dst_port: dstPort } = trace;
  const methods: Record<string, string> = { UDP: "udp-paris", TCP: "tcp" };
  return {
    method: methods[protocol] ?? "icmp-echo-paris",
    dst: trace.address,
    ...(protocol.startsWith("ICMP") ? { icmp_sum: dstPort } : { sport: srcPort, dport: dstPort }),
    hop_count: Math.max(1, ...probes.map(({ ttl }) => ttl)),
    probe_count: probes.reduce((all, { sent }) => all + sent, 0),
    attempts: Math.max(1, ...probes.map(({ sent }) => sent)),
  };
}

/** In the order of scamper: by TTL, then by the time of sending. */
function expectedHops({ address, replies }: Trace) {
  const header = address.includes(":") ? 40 : 0;
  const sent = (reply: TraceReply) => receivedUs(reply) - Math.round(1000 * (reply.rtt_ms ?? 0));
  return [...Map.groupBy(replies, ({ probe_ttl: ttl }) => ttl).values()].flatMap((answers) =>
    answers
      .toSorted((a, b) => sent(a) - sent(b))
      .map((reply, i) => ({
        ...{ addr: reply.reply_src_addr, probe_ttl: reply.probe_ttl, probe_id: i + 1 },
        ...{ probe_size: reply.probe_size + header, reply_ttl: reply.reply_ttl, reply_tos: 0 },
        ...{ reply_ipid: reply.reply_id, reply_size: reply.reply_size + header, rtt: reply.rtt_ms ?? 0 },
        ...(isTcp(reply)
          ? { tcp_flags: reply.reply_icmp_code }
          : {
              ...{ icmp_type: reply.reply_icmp_type, icmp_code: reply.reply_icmp_code },
              ...(reply.reply_icmp_type === 0 || reply.reply_icmp_type === 129
                ? {}
                : {
                    ...{ icmp_q_ttl: reply.reply_quoted_ttl, icmp_q_ipl: reply.probe_size + header },
                    // It shows that of IPv4 only.
                    ...(header === 0 ? { icmp_q_tos: reply.reply_quoted_traffic_class ?? 0 } : {}),
                  }),
              // The name is scamper's.
              ...(reply.reply_protocol === 1 && reply.reply_icmp_type === 3 && reply.reply_icmp_code === 4
                ? { "icmp_nhmtu:": reply.reply_next_hop_mtu ?? 0 }
                : {}),
            }),
        labels: reply.reply_mpls_labels.map(({ label, exp, bottom_of_stack: bottom, ttl }) => ({
          ...{ mpls_ttl: ttl, mpls_s: Number(bottom), mpls_exp: exp, mpls_label: label },
        })),
        tx: reply.rtt_ms === null ? undefined : sent(reply),
      })),
  );
}

/** Without what is compared apart, and what it leaves out. */
function timesApart(hop: object) {
  const { tx: _, icmpext, ...others } = hop as ScamperHop;
  return { labels: (icmpext ?? []).flatMap(({ mpls_labels: labels }) => labels), ...others };
}
