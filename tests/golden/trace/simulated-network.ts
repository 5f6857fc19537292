/**
 * A small Internet that is an Engine: probes offered to it come back as the replies that its paths would give.
 *
 * Time is its own and moves only with `advance`, so a trace over it gives the same bytes in every run. Probes leave
 * one after another at the engine's rate; each answer carries a real time code and a real tag, and is matched as
 * the receiver does it (tests/packet/match.ts), so forged, late and rewritten answers are judged, not declared.
 */
import type { Engine, OutgoingProbe, ReceivedReply } from "../../../apps/probing/agent/engine/engine.ts";
import { address, formatAddress } from "../../../lib/net/ip/address.ts";
import { ianaNumber } from "../../../lib/net/packet/probe.ts";
import { rttUnknownTenthMs } from "../../../lib/net/packet/reply.ts";
import type { SipKey } from "../../../lib/net/packet/siphash.ts";
import { tagOf } from "../../../lib/net/packet/tag.ts";
import { tickOfNs, tickOfUs, wireTimeCode, wrapOf } from "../../../lib/net/packet/time-code.ts";
import { matchReply } from "../../packet/match.ts";
import { type Answerer, answerOf, type SimulatedPath } from "./simulated-path.ts";

interface Arrival {
  readonly atUs: number;
  readonly received: ReceivedReply | "stale";
}

const failedUs = -1;
const startUs = 1_800_000_000_000_000;
/** Flipped in the tag of a forger, and in the time code by a device that rewrites checksums. */
const forgedBits = 0x5a5a_5a5a_5a5a_5a5an;
const rewrittenBits = 0x5a5a;

export class SimulatedNetwork implements Engine {
  /** Every probe that was offered, in order. */
  readonly offered: OutgoingProbe[] = [];
  /** When each of them was. */
  readonly offeredAtMs: number[] = [];
  readonly #paths: ReadonlyMap<string, SimulatedPath>;
  readonly #key: SipKey;
  readonly #gapUs: number;
  readonly #departureUs = new Map<number, number>();
  readonly #answersOfHop = new Map<string, number>();
  #arrivals: Arrival[] = [];
  #nowUs = startUs;
  #nextDepartureUs = startUs;
  #stale = 0;
  #stuckProbes = 0;
  #failed = 0;

  constructor(paths: readonly SimulatedPath[], key: SipKey, rateProbesPerSec: number) {
    this.#paths = new Map(paths.map((path) => [formatAddress(address(path.target)), path]));
    this.#key = key;
    this.#gapUs = 1e6 / rateProbesPerSec;
  }

  get nowMs(): number {
    return this.#nowUs / 1000;
  }

  advance(durationMs: number): void {
    this.#nowUs += durationMs * 1000;
  }

  offer(_instance: number, probe: OutgoingProbe): boolean {
    this.offered.push(probe);
    this.offeredAtMs.push(this.nowMs);
    const path = this.#paths.get(formatAddress(probe.dst));
    if (path === undefined || path.unroutable === true) {
      this.#departureUs.set(probe.index, failedUs);
      this.#failed++;
      return true;
    }
    if (path.stuck === true) {
      this.#departureUs.set(probe.index, Number.POSITIVE_INFINITY);
      this.#stuckProbes++;
      return true;
    }
    const departureUs = Math.max(this.#nowUs, this.#nextDepartureUs);
    this.#nextDepartureUs = departureUs + this.#gapUs;
    this.#departureUs.set(probe.index, departureUs);
    const answerer = answerOf(path, probe, this.#answersOfHop);
    for (let copy = 0; copy < (answerer?.copies ?? 0); copy++) {
      this.#schedule(probe, departureUs, answerer);
    }
    return true;
  }

  pending(): number {
    const behindUs = Math.max(0, this.#nextDepartureUs - this.#nowUs);
    return this.#stuckProbes + Math.ceil(behindUs / this.#gapUs);
  }

  drain(onReply: (received: ReceivedReply) => void): number {
    const due = this.#arrivals.filter(({ atUs }) => atUs <= this.#nowUs).sort((a, b) => a.atUs - b.atUs);
    this.#arrivals = this.#arrivals.filter(({ atUs }) => atUs > this.#nowUs);
    for (const { received } of due) {
      if (received === "stale") {
        this.#stale++;
      } else {
        onReply(received);
      }
    }
    return due.length;
  }

  sentAtUs(index: number): number {
    const departureUs = this.#departureUs.get(index) ?? 0;
    return departureUs > this.#nowUs ? 0 : departureUs;
  }

  counters(): Readonly<Record<string, number>> {
    return { reply_stale: this.#stale };
  }

  failures(): readonly string[] {
    return this.#failed > 0 ? ["Cannot send a probe: no route"] : [];
  }

  async stop(): Promise<void> {}

  #schedule(probe: OutgoingProbe, departureUs: number, answerer: Answerer | null): void {
    if (answerer !== null) {
      const atUs = departureUs + answerer.delayMs * 1000;
      this.#arrivals.push({ atUs, received: this.#receive(probe, departureUs, atUs, answerer) });
    }
  }

  /** What the engine's receiver makes of the answer. */
  #receive(probe: OutgoingProbe, departureUs: number, atUs: number, answerer: Answerer) {
    const timeReceivedNs = BigInt(Math.round(atUs)) * 1000n;
    const receivedTick = tickOfNs(timeReceivedNs);
    const sentTick = tickOfUs(departureUs);
    const quotedTag = this.#quote(probe, sentTick, answerer);
    const code = wireTimeCode(sentTick) ^ (answerer.rewritesTime ? rewrittenBits : 0);
    const whole = {
      ...{ labelLoss: null, siteFlaw: null, isRemembered: false, isChecksumWrong: false },
      ...{ quotedTransport: null, hasOtherId: false },
    };
    const raw = { ...answerer.fields, ...whole, quotedTag, wireTimeCode: code };
    const match = matchReply(raw, receivedTick, [this.#key], { hasLeft: () => true });
    if (match.verdict === "stale") {
      return "stale" as const;
    }
    const rttTenthMs = match.verdict === "match" ? receivedTick - match.sentTick : rttUnknownTenthMs;
    return {
      reply: { ...answerer.fields, timeReceivedNs, agentId: "trace", rttTenthMs, rttUs: 0 },
      verdict: match.verdict === "match" ? ("match" as const) : ("mismatch" as const),
      instance: match.verdict === "match" ? match.key : -1,
      measurement: match.verdict === "match" ? probe.measurement : -1,
      quotedTag,
    };
  }

  #quote({ dst, srcPort, ttl, protocol }: OutgoingProbe, sentTick: number, answerer: Answerer) {
    const fields = {
      dst,
      srcPort,
      ttl,
      protocolNumber: ianaNumber[protocol],
      wireTimeCode: wireTimeCode(sentTick),
      wrap: wrapOf(sentTick),
    };
    const tag = tagOf(this.#key, fields) ^ (answerer.forges ? forgedBits : 0n);
    return { mask: answerer.tagMask, value: tag & answerer.tagMask };
  }
}
