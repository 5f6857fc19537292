/** Which probe a reply answers, over an engine worked by hand. */
import { beforeEach, describe, expect, test } from "bun:test";
import { address } from "../../../lib/net/ip/address.ts";
import type { Probe } from "../../../lib/net/packet/probe.ts";
import { HandRig, probe, queueProbesMax, source, startMs, waitMs } from "../../../tests/engine/hand-rig.ts";
import { probesInFlightMax, sendMsMax } from "./limits.ts";
import type { Ending } from "./outstanding.ts";

/** What the engine's receiver may be late by, on top of the wait for an answer. */
const captureDelayMs = 50;

let rig: HandRig;

beforeEach(() => {
  rig = new HandRig();
});

function rttsOf(endings: readonly Ending[]): (number | null | string)[] {
  return endings.map((ending) => (typeof ending === "string" ? ending : ending.rttMs));
}

describe("a reply answers", () => {
  test("the query that left when it says, whichever was first", () => {
    const first = rig.send();
    rig.wait(120);
    const second = rig.send();
    rig.wait(30);
    rig.answer({ sentAtMs: startMs + 120 });
    rig.poll();
    expect([rttsOf(first), rttsOf(second)]).toEqual([[], [30]]);
    rig.wait(50);
    rig.answer({ sentAtMs: startMs });
    rig.poll();
    expect([rttsOf(first), rttsOf(second)]).toEqual([[200], [30]]);
  });

  test("only a probe with the same destination, port, TTL and protocol", () => {
    const endings = rig.send();
    const others: Probe[] = [
      { ...probe, dst: address("203.0.113.11") },
      { ...probe, srcPort: 24001 },
      { ...probe, ttl: 4 },
      { ...probe, protocol: "tcp" },
    ];
    for (const other of others) {
      rig.answer({ sentAtMs: startMs }, other);
    }
    rig.poll();
    expect(endings).toEqual([]);
  });

  test("one query: a second copy is late, and does not answer the next", () => {
    const first = rig.send();
    rig.wait(10);
    const second = rig.send();
    rig.answer({ sentAtMs: startMs });
    rig.answer({ sentAtMs: startMs });
    rig.poll();
    expect([rttsOf(first), rttsOf(second)]).toEqual([[10], []]);
    expect(rig.outstanding.leftOut(probe.dst)).toEqual({ forged: 0, late: 1 });
  });

  test("no query that left after the one it belongs to was given up", () => {
    const first = rig.send();
    rig.wait(waitMs + captureDelayMs + 1);
    rig.poll();
    const second = rig.send();
    rig.wait(1);
    rig.answer({ sentAtMs: startMs });
    rig.poll();
    expect([rttsOf(first), rttsOf(second)]).toEqual([["lost"], []]);
    expect(rig.outstanding.leftOut(probe.dst)).toEqual({ forged: 0, late: 1 });
  });
});

describe("where the send time was rewritten on the way", () => {
  test("the tag tells which query is answered", () => {
    const first = rig.send();
    rig.wait(120);
    const second = rig.send();
    rig.wait(5);
    rig.answer({ sentAtMs: startMs + 120, rewritten: true });
    rig.poll();
    expect([rttsOf(first), rttsOf(second)]).toEqual([[], [5]]);
    expect(rig.outstanding.leftOut(probe.dst)).toEqual({ forged: 0, late: 0 });
  });

  test("few bits of a tag are held against what was quoted only", () => {
    const endings = rig.send();
    rig.answer({ sentAtMs: startMs, rewritten: true, mask: 0xffffn });
    rig.poll();
    expect(rttsOf(endings)).toEqual([0]);
  });

  test("two queries of one tick are both answered, without an RTT that would be a guess", () => {
    const [first, second] = [rig.send(), rig.send()];
    rig.wait(7);
    rig.answer({ sentAtMs: startMs, rewritten: true });
    rig.poll();
    expect([rttsOf(first), rttsOf(second)]).toEqual([[null], []]);
    rig.answer({ sentAtMs: startMs, rewritten: true });
    rig.poll();
    expect(rttsOf(second)).toEqual([7]);
  });

  test("the key of any instance may have made it", () => {
    const endings = rig.send(probe, 1);
    rig.answer({ sentAtMs: startMs, instance: 1, rewritten: true });
    rig.poll();
    expect(rttsOf(endings)).toEqual([0]);
  });
});

describe("a reply is refused", () => {
  test("with a wrong tag, and counted as forged", () => {
    const endings = rig.send();
    rig.answer({ sentAtMs: startMs, forged: true });
    rig.poll();
    expect(endings).toEqual([]);
    expect(rig.outstanding.leftOut(probe.dst)).toEqual({ forged: 1, late: 0 });
  });

  test("when it quotes no tag and no time that is ours", () => {
    const endings = rig.send();
    rig.answer({ sentAtMs: startMs, forged: true, mask: 0n });
    rig.poll();
    expect(endings).toEqual([]);
  });

  test("with a tag of another time", () => {
    const endings = rig.send();
    rig.wait(100);
    rig.answer({ sentAtMs: startMs + 1, rewritten: true });
    rig.poll();
    expect(endings).toEqual([]);
    expect(rig.outstanding.leftOut(probe.dst).forged).toBe(1);
  });

  test("before its probe has left", () => {
    const endings = rig.offer();
    rig.answer({ sentAtMs: startMs, rewritten: true });
    rig.answer({ sentAtMs: 0, rewritten: true });
    rig.poll();
    expect(endings).toEqual([]);
  });

  test("and counted as late, when its time was rewritten, only if a probe that has ended made its tag", () => {
    rig.send();
    rig.answer({ sentAtMs: startMs });
    rig.answer({ sentAtMs: startMs, rewritten: true });
    rig.answer({ sentAtMs: startMs + 1, rewritten: true });
    rig.answer({ sentAtMs: startMs, forged: true });
    rig.poll();
    expect(rig.outstanding.leftOut(probe.dst)).toEqual({ forged: 0, late: 1 });
  });

  test("and not counted when it answers what this host sent otherwise to the same destination", () => {
    rig.send();
    rig.answer(
      { sentAtMs: startMs, forged: true, mask: 0xff_0000n },
      { ...probe, srcPort: 40_000, protocol: "tcp" },
    );
    rig.poll();
    expect(rig.outstanding.leftOut(probe.dst)).toEqual({ forged: 0, late: 0 });
  });

  test("and not counted where the destination was never probed", () => {
    rig.answer({ sentAtMs: startMs });
    rig.poll();
    expect(rig.outstanding.leftOut(probe.dst)).toEqual({ forged: 0, late: 0 });
  });
});

describe("a probe ends", () => {
  test("as lost when its time is over, counted from when it left", () => {
    const endings = rig.offer();
    rig.wait(5000);
    rig.leave();
    rig.wait(waitMs + captureDelayMs);
    rig.poll();
    expect(endings).toEqual([]);
    rig.wait(1);
    rig.poll();
    expect(endings).toEqual(["lost"]);
  });

  test("as failed when the kernel refused it", () => {
    const endings = rig.offer();
    rig.fail();
    rig.poll();
    expect(endings).toEqual(["failed"]);
  });

  test("as failed when it does not leave, however long it may wait for an answer", () => {
    const endings = rig.offer();
    rig.wait(sendMsMax);
    rig.poll();
    expect(endings).toEqual([]);
    rig.wait(1);
    rig.poll();
    expect(endings).toEqual(["failed"]);
  });

  test("with the answer that came in the same moment in which its time was over", () => {
    const endings = rig.send();
    rig.wait(2000);
    rig.answer({ sentAtMs: startMs });
    rig.poll();
    expect(rttsOf(endings)).toEqual([2000]);
  });

  test("once", () => {
    const endings = rig.send();
    rig.answer({ sentAtMs: startMs });
    rig.poll();
    rig.wait(5000);
    rig.poll();
    expect(rttsOf(endings)).toEqual([0]);
  });
});

describe("there is no room", () => {
  test("when enough probes wait in the engine's queue", () => {
    rig.engine.queued = queueProbesMax - 1;
    expect(rig.offer()).not.toBeNull();
    rig.engine.queued = queueProbesMax;
    expect(rig.offer()).toBeNull();
    expect(rig.engine.offered).toHaveLength(1);
  });

  test("but there is once the queue has proved stuck: probes fail then, they do not wait for ever", () => {
    rig.offer();
    rig.engine.queued = queueProbesMax;
    rig.wait(sendMsMax + 1);
    rig.poll();
    expect(rig.offer()).not.toBeNull();
  });

  test("when the engine takes none", () => {
    rig.engine.full = true;
    expect(rig.offer()).toBeNull();
    rig.engine.full = false;
    expect(rig.offer()).not.toBeNull();
  });

  test("when every slot is taken, until they are free again", () => {
    for (let i = 0; i < probesInFlightMax; i++) {
      rig.send({ ...probe, srcPort: i });
    }
    expect(new Set(rig.engine.offered.map(({ index }) => index)).size).toBe(probesInFlightMax);
    expect(rig.offer()).toBeNull();
    rig.wait(waitMs + captureDelayMs + 1);
    rig.poll();
    expect(rig.offer()).not.toBeNull();
  });
});

test("a probe carries its source, and a slot of the table of send times", () => {
  rig.offer(probe, 1);
  expect(rig.engine.offered[0]).toMatchObject({ ...probe, src: source, measurement: 1 });
  expect(rig.engine.offered[0]?.index).toBeWithin(0, probesInFlightMax);
});
