import { describe, expect, test } from "bun:test";
import { address } from "../../net/ip/address.ts";
import type { AnswerKind } from "../../net/packet/answer-kind.ts";
import { isOpenPort, Path, type ProbeAnswer } from "./path.ts";

const target = address("203.0.113.10");
const portUnreachable: AnswerKind = { kind: "unreachable", family: 4, code: 3 };

function answer(from: string, kind: AnswerKind = { kind: "ttl_exceeded" }): ProbeAnswer {
  return { from: address(from), rttMs: 1, labels: [], kind };
}

function sendAndRecord(
  path: Path,
  flow: number,
  ttl: number,
  outcome: ProbeAnswer | "lost" | "failed",
): void {
  path.markSent(flow, ttl, { atMs: 0, source: null });
  path.record(flow, ttl, outcome);
}

describe("a flow ends", () => {
  test("nowhere before something ends it", () => {
    const path = new Path(target, 2);
    sendAndRecord(path, 0, 1, answer("10.0.0.1"));
    expect(path.endOfFlow(0)).toBe(Number.POSITIVE_INFINITY);
    expect(path.reached()).toBe(false);
  });

  test("at the lowest TTL that the target answered, each flow for itself", () => {
    const path = new Path(target, 2);
    for (const ttl of [7, 5, 6]) {
      sendAndRecord(path, 0, ttl, answer("203.0.113.10", portUnreachable));
    }
    sendAndRecord(path, 1, 9, answer("203.0.113.10", portUnreachable));
    expect([path.endOfFlow(0), path.endOfFlow(1)]).toEqual([5, 9]);
    expect(path.lastTtl()).toBe(9);
    expect(path.reached()).toBe(true);
  });

  test("at the target whatever it says", () => {
    const path = new Path(target, 1);
    sendAndRecord(path, 0, 4, answer("203.0.113.10"));
    expect(path.endOfFlow(0)).toBe(4);
    expect(path.reached()).toBe(true);
  });

  test.each([{ kind: "unreachable", family: 4, code: 13 }, { kind: "too_big" }] as const)(
    "where a router refuses it, and then the target is not reached: $kind",
    (kind) => {
      const path = new Path(target, 1);
      sendAndRecord(path, 0, 3, answer("10.0.0.3", kind));
      expect(path.endOfFlow(0)).toBe(3);
      expect(path.reached()).toBe(false);
    },
  );

  test("not by a router's other errors", () => {
    const path = new Path(target, 1);
    sendAndRecord(path, 0, 3, answer("10.0.0.3", { kind: "other_error", type: 12, code: 0 }));
    expect(path.endOfFlow(0)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the last TTL worth showing", () => {
  test("is that of the last answer while a flow goes on", () => {
    const path = new Path(target, 2);
    sendAndRecord(path, 0, 4, answer("203.0.113.10", portUnreachable));
    sendAndRecord(path, 1, 6, answer("10.0.0.6"));
    sendAndRecord(path, 1, 7, "lost");
    expect(path.lastTtl()).toBe(6);
    expect(path.lastAnsweredTtl).toBe(6);
  });

  test("is where the last flow ends, not what answered beyond it", () => {
    const path = new Path(target, 1);
    sendAndRecord(path, 0, 7, answer("203.0.113.10", portUnreachable));
    sendAndRecord(path, 0, 5, answer("203.0.113.10", portUnreachable));
    expect(path.lastTtl()).toBe(5);
    expect(path.lastAnsweredTtl).toBe(7);
  });

  test("is 0 when nobody answered", () => {
    const path = new Path(target, 1);
    sendAndRecord(path, 0, 1, "lost");
    expect(path.lastTtl()).toBe(0);
  });
});

test("the cells of a hop leave out flows that end before it, and those not probed", () => {
  const path = new Path(target, 3);
  sendAndRecord(path, 0, 3, answer("203.0.113.10", portUnreachable));
  sendAndRecord(path, 0, 4, answer("203.0.113.10", portUnreachable));
  sendAndRecord(path, 1, 4, "lost");
  expect(path.cellsOfHop(4)).toEqual([{ flow: 1, ttl: 4, sent: 1, outcomes: ["lost"] }]);
  expect(path.cellsOfHop(3).map(({ flow }) => flow)).toEqual([0]);
});

test("totals count every probe, also those beyond the end of their flow", () => {
  const path = new Path(target, 1);
  sendAndRecord(path, 0, 1, answer("203.0.113.10", portUnreachable));
  sendAndRecord(path, 0, 2, "lost");
  sendAndRecord(path, 0, 3, "failed");
  path.markSent(0, 4, { atMs: 0, source: null });
  expect(path.totals()).toEqual({ sent: 3, answered: 1, lost: 1, unawaited: 1, failed: 1 });
});

describe("an open TCP port", () => {
  test("answers once a flow: what it leaves unanswered is not lost", () => {
    const path = new Path(target, 1);
    sendAndRecord(path, 0, 5, "lost");
    sendAndRecord(path, 0, 5, answer("203.0.113.10", { kind: "syn_ack" }));
    sendAndRecord(path, 0, 5, "lost");
    expect(path.cell(0, 5).outcomes).toEqual([answer("203.0.113.10", { kind: "syn_ack" })]);
    expect(path.cell(0, 5).sent).toBe(3);
  });

  test("is distinguished from a closed one", () => {
    expect(isOpenPort([answer("203.0.113.10", { kind: "syn_ack" })])).toBe(true);
    expect(isOpenPort(["lost", answer("203.0.113.10", { kind: "reset" })])).toBe(false);
  });
});
