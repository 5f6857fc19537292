/** Traces as reports of `mtr --json`, one object each. Where several routers answer a TTL, the one that did most often. */
import { byTtl, sourceOf, type Trace, type TraceReply, wholeSize } from "./trace.ts";

export function mtrReport(trace: Trace): object {
  const { address, replies, probes } = trace;
  const size = Math.max(0, ...replies.map((reply) => wholeSize(reply.probe_size, address)));
  return {
    report: {
      mtr: {
        ...{ src: sourceOf(trace), dst: address, tos: 0 },
        ...{ tests: Math.max(0, ...probes.map(({ sent }) => sent)), psize: String(size), bitpattern: "0x00" },
      },
      hubs: byTtl(trace).map(({ ttl, sent, answers }) => hub(ttl, sent, answers)),
    },
  };
}

function hub(ttl: number, sent: number, answers: readonly TraceReply[]): object {
  const rtts = answers.flatMap(({ rtt_ms: rtt }) => (rtt === null ? [] : [rtt]));
  const mean = rtts.reduce((all, rtt) => all + rtt, 0) / Math.max(1, rtts.length);
  const squares = rtts.reduce((all, rtt) => all + (rtt - mean) ** 2, 0);
  const answered = Math.min(sent, answers.length);
  return {
    ...{ count: ttl, host: mostFrequent(answers) ?? "???" },
    "Loss%": rounded(sent === 0 ? 0 : (100 * (sent - answered)) / sent),
    Snt: sent,
    ...{ Last: rounded(rtts.at(-1) ?? 0), Avg: rounded(mean) },
    ...{ Best: rounded(Math.min(...(rtts.length === 0 ? [0] : rtts))), Wrst: rounded(Math.max(0, ...rtts)) },
    // Of a sample, as mtr computes it.
    StDev: rounded(rtts.length < 2 ? 0 : Math.sqrt(squares / (rtts.length - 1))),
  };
}

function mostFrequent(answers: readonly TraceReply[]): string | undefined {
  const routers = Map.groupBy(answers, ({ reply_src_addr: from }) => from);
  return [...routers].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

function rounded(value: number): number {
  return Number(value.toFixed(5));
}
