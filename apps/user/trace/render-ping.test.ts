import { describe, expect, test } from "bun:test";
import { noNotes } from "../../../lib/answers/enrich/address-context.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { type Outcome, Path } from "../../../lib/measuring/paths/path.ts";
import { address } from "../../../lib/net/ip/address.ts";
import type { AnswerKind } from "../../../lib/net/packet/answer-kind.ts";
import { pingColumns, pingSummaryColumns } from "./ping-columns.ts";
import type { Pinged } from "./ping-figures.ts";
import { pingLine, pingSummary } from "./render-ping.ts";

const target = {
  name: "target.example",
  address: address("203.0.113.10"),
  protocol: "icmp",
  source: address("192.0.2.1"),
  interfaceName: "wan0",
} as const;

function answer(
  rttMs: number | null,
  from = "203.0.113.10",
  kind: AnswerKind = { kind: "echo_reply" },
): Outcome {
  return { from: address(from), rttMs, labels: [], kind };
}

/** A target pinged with these outcomes; "waiting" = sent, and not known yet. */
function pinged(...outcomes: (Outcome | "waiting")[]): Pinged {
  const path = new Path(target.address, 1);
  for (const outcome of outcomes) {
    path.markSent(0, 64, { atMs: 0, source: null });
    if (outcome !== "waiting") {
      path.record(0, 64, outcome);
    }
  }
  return { target, path };
}

const prohibited: AnswerKind = { kind: "unreachable", family: 4, code: 13 };

describe("a line of text", () => {
  test.each<[string, Outcome, string]>([
    ["an echo reply", answer(12.345), "203.0.113.10    7    12.35 ms"],
    [
      "an open port",
      answer(0.25, "203.0.113.10", { kind: "syn_ack" }),
      "203.0.113.10    7    0.250 ms  port open (SYN-ACK)",
    ],
    [
      "a router that refuses",
      answer(2, "10.0.0.3", prohibited),
      "203.0.113.10    7    2.000 ms from 10.0.0.3  administratively prohibited",
    ],
    [
      "a TTL too small",
      answer(2, "10.0.0.3", { kind: "ttl_exceeded" }),
      "203.0.113.10    7    2.000 ms from 10.0.0.3  TTL exceeded",
    ],
    ["an unknown RTT", answer(null), "203.0.113.10    7        ? ms"],
    ["no answer", "lost", "203.0.113.10    7  no answer"],
    ["a probe that did not leave", "failed", "203.0.113.10    7  could not be sent"],
  ])("shows %s", (_what, outcome, line) => {
    expect(pingLine({ pinged: pinged(), sequence: 7, outcome }, noNotes)).toBe(line);
  });
});

function object<Row>(columns: readonly Column<Row>[], row: Row) {
  return Object.fromEntries(columns.map(({ name, value }) => [name, value(row)]));
}

describe("a row", () => {
  const same = {
    agent: null,
    target: "target.example",
    address: "203.0.113.10",
    protocol: "icmp",
    sequence: 7,
  };
  const row = (outcome: Outcome) =>
    object(pingColumns(noNotes, "json"), { pinged: pinged(), sequence: 7, outcome });

  test("has the answer, and its RTT to a microsecond", () => {
    expect(row(answer(2.00049, "10.0.0.3", prohibited))).toEqual({
      ...same,
      outcome: "answered",
      from: "10.0.0.3",
      rtt_ms: 2,
      answer: prohibited,
      says: "administratively prohibited",
      site: null,
    });
  });

  test("says why there is none", () => {
    expect(row("lost")).toEqual({
      ...same,
      outcome: "lost",
      from: null,
      rtt_ms: null,
      answer: null,
      says: "",
      site: null,
    });
  });
});

describe("the summary", () => {
  test("has what was left out, and counts the target's answers from another address as its own", () => {
    const echo = { kind: "echo_reply" } as const;
    const all = {
      ...pinged(answer(3), answer(1, "198.51.100.9", echo)),
      leftOut: () => ({ forged: 1, late: 2 }),
    };
    expect(pingSummary(all, noNotes)).toContain(
      "2 sent, 2 answered, 0 % lost, 1 forged reply left out, 2 late or repeated replies left out; min",
    );
    expect(object(pingSummaryColumns(noNotes, "json"), all)).toMatchObject({
      answered: 2,
      forged: 1,
      late: 2,
    });
  });

  test("has loss and times of the answers of the target itself", () => {
    const all = pinged(answer(3), "lost", answer(1), answer(9, "10.0.0.3", prohibited), answer(2));
    expect(pingSummary(all, noNotes)).toBe(
      "target.example (IPv4, icmp): 5 sent, 3 answered, 1 answered by others, 1 without answer, 40 % lost; " +
        "min / median / max 1.000 / 2.000 / 3.000 ms",
    );
    expect(object(pingSummaryColumns(noNotes, "json"), all)).toEqual({
      agent: null,
      target: "target.example",
      address: "203.0.113.10",
      protocol: "icmp",
      sent: 5,
      answered: 3,
      answered_by_others: 1,
      lost: 1,
      not_awaited: 0,
      failed: 0,
      forged: null,
      late: null,
      loss_percent: 40,
      rtt_min_ms: 1,
      rtt_p10_ms: 1.2,
      rtt_median_ms: 2,
      rtt_p90_ms: 2.8,
      rtt_max_ms: 3,
      rtt_mean_ms: 2,
      rtt_standard_deviation_ms: 0.816,
      rtt_jitter_ms: 1.5,
    });
  });

  test("adds up when Ctrl-C comes early: probes in flight are not lost", () => {
    expect(pingSummary(pinged(answer(1), answer(1), "waiting"), noNotes)).toContain(
      ": 3 sent, 2 answered, 1 not waited for, 0 % lost;",
    );
  });

  test("has no times without answers, and no loss where nothing was sent", () => {
    expect(pingSummary(pinged("lost", "failed"), noNotes)).toEndWith(
      ": 1 sent, 0 answered, 1 without answer, 1 could not be sent, 100 % lost; min / median / max ? / ? / ? ms",
    );
    expect(pingSummary(pinged("failed"), noNotes)).toContain(
      ": 0 sent, 0 answered, 1 could not be sent; min",
    );
    expect(object(pingSummaryColumns(noNotes, "json"), pinged("failed"))).toMatchObject({
      loss_percent: null,
      rtt_median_ms: null,
    });
  });
});
