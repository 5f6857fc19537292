/** Answers that come from another address than the probed one, over an engine worked by hand. */
import { beforeEach, describe, expect, test } from "bun:test";
import { address } from "../../../lib/net/ip/address.ts";
import type { Probe } from "../../../lib/net/packet/probe.ts";
import { HandRig, probe, startMs, waitMs } from "../../../tests/engine/hand-rig.ts";
import type { Ending } from "./outstanding.ts";

const captureDelayMs = 50;

let rig: HandRig;

beforeEach(() => {
  rig = new HandRig();
});

function rttsOf(endings: readonly Ending[]): (number | null | string)[] {
  return endings.map((ending) => (typeof ending === "string" ? ending : ending.rttMs));
}

describe("an answer from another address", () => {
  const echo: Probe = { ...probe, protocol: "icmp", dstPort: 0 };
  const elsewhere = address("198.51.100.9");

  test("belongs to the probe whose tag it carries, which keeps its destination", () => {
    const endings = rig.send(echo);
    const others = rig.send({ ...echo, dst: address("203.0.113.11") });
    rig.wait(20);
    rig.answer({ sentAtMs: startMs, from: elsewhere }, echo);
    rig.poll();
    expect([rttsOf(endings), others]).toEqual([[20], []]);
    const [ending] = endings;
    const reply = typeof ending === "object" ? ending.reply : null;
    expect([reply?.probeDstAddr, reply?.replySrcAddr]).toEqual([echo.dst, elsewhere]);
  });

  test("is not forged where that address is a target itself", () => {
    const there: Probe = { ...echo, dst: elsewhere };
    const [first, second] = [rig.send(echo), rig.send(there)];
    rig.wait(20);
    rig.answer({ sentAtMs: startMs, from: elsewhere }, echo);
    rig.answer({ sentAtMs: startMs }, there);
    rig.poll();
    expect([rttsOf(first), rttsOf(second)]).toEqual([[20], [20]]);
    expect(rig.outstanding.leftOut(elsewhere)).toEqual({ forged: 0, late: 0 });
  });

  test("is late when it comes again, or after its probe was given up", () => {
    rig.send(echo);
    rig.answer({ sentAtMs: startMs, from: elsewhere }, echo);
    rig.answer({ sentAtMs: startMs, from: elsewhere }, echo);
    rig.poll();
    expect(rig.outstanding.leftOut(echo.dst)).toEqual({ forged: 0, late: 1 });
    const sentAtMs = startMs + 5;
    rig.wait(5);
    const lost = rig.send(echo);
    rig.wait(waitMs + captureDelayMs + 1);
    rig.poll();
    rig.answer({ sentAtMs, from: elsewhere }, echo);
    rig.poll();
    expect(rttsOf(lost)).toEqual(["lost"]);
    expect(rig.outstanding.leftOut(echo.dst)).toEqual({ forged: 0, late: 2 });
  });

  test("with part of a tag, or one that was never sent, is rejected", () => {
    const endings = rig.send(echo);
    rig.answer({ sentAtMs: startMs, from: elsewhere, mask: 0xffffn }, echo);
    rig.answer({ sentAtMs: startMs, from: elsewhere, forged: true }, echo);
    rig.answer({ sentAtMs: startMs + 1, from: elsewhere }, echo);
    rig.poll();
    expect(endings).toEqual([]);
    expect(rig.outstanding.leftOut(echo.dst)).toEqual({ forged: 0, late: 0 });
  });
});
