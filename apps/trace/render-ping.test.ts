import { describe, expect, test } from "bun:test";
import { address } from "../../lib/ip/address.ts";
import { type AnswerKind, type Outcome, Path } from "../../lib/paths/path.ts";
import { type Pinged, pingLine, pingSummary } from "./render-ping.ts";

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
  kind: AnswerKind = { kind: "echoReply" },
): Outcome {
  return { from: address(from), rttMs, labels: [], kind };
}

/** A target pinged with these outcomes; "waiting" = sent, and not known yet. */
function pinged(...outcomes: (Outcome | "waiting")[]): Pinged {
  const path = new Path(target.address, 1);
  for (const outcome of outcomes) {
    path.markSent(0, 64);
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
      answer(0.25, "203.0.113.10", { kind: "synAck" }),
      "203.0.113.10    7    0.250 ms  port open (SYN-ACK)",
    ],
    [
      "a router that refuses",
      answer(2, "10.0.0.3", prohibited),
      "203.0.113.10    7    2.000 ms from 10.0.0.3  administratively prohibited",
    ],
    [
      "a TTL too small",
      answer(2, "10.0.0.3", { kind: "ttlExceeded" }),
      "203.0.113.10    7    2.000 ms from 10.0.0.3  TTL exceeded",
    ],
    ["an RTT that cannot be told", answer(null), "203.0.113.10    7        ? ms"],
    ["no answer", "lost", "203.0.113.10    7  no answer"],
    ["a probe that did not leave", "failed", "203.0.113.10    7  could not be sent"],
  ])("shows %s", (_what, outcome, line) => {
    expect(pingLine(pinged(), 7, outcome, "text")).toBe(line);
  });
});

describe("a line of JSON", () => {
  const same = { target: "target.example", address: "203.0.113.10", sequence: 7 };

  test("has the answer, and its RTT to a microsecond", () => {
    expect(JSON.parse(pingLine(pinged(), 7, answer(2.00049, "10.0.0.3", prohibited), "json"))).toEqual({
      ...same,
      outcome: "answered",
      from: "10.0.0.3",
      rttMs: 2,
      answer: prohibited,
    });
  });

  test("says why there is none", () => {
    expect(JSON.parse(pingLine(pinged(), 7, "lost", "json"))).toEqual({
      ...same,
      outcome: "lost",
      from: null,
      rttMs: null,
      answer: null,
    });
  });
});

describe("the summary", () => {
  test("has loss and times of the answers of the target itself", () => {
    const all = pinged(answer(3), "lost", answer(1), answer(9, "10.0.0.3", prohibited), answer(2));
    expect(pingSummary(all, "text")).toBe(
      "target.example (IPv4, icmp): 5 sent, 3 answered, 40 % lost; min / median / max 1.000 / 2.000 / 3.000 ms",
    );
    expect(JSON.parse(pingSummary(all, "json"))).toEqual({
      target: "target.example",
      address: "203.0.113.10",
      summary: { sent: 5, answered: 3, lossPercent: 40, minMs: 1, medianMs: 2, maxMs: 3 },
    });
  });

  test("does not take probes in flight for lost: it may come early, by Ctrl-C", () => {
    expect(pingSummary(pinged(answer(1), "waiting"), "text")).toContain(": 2 sent, 1 answered, 0 % lost;");
  });

  test("has no times without answers", () => {
    expect(pingSummary(pinged("lost", "failed"), "text")).toEndWith(
      ": 2 sent, 0 answered, 100 % lost; min / median / max ? / ? / ? ms",
    );
    expect(JSON.parse(pingSummary(pinged("lost"), "json")).summary).toMatchObject({
      minMs: null,
      medianMs: null,
    });
  });
});
