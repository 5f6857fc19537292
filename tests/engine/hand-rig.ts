/**
 * An engine worked by hand, and what a trace keeps of its probes: a probe leaves, fails or is answered when the test
 * says so. Answers carry real tags; time moves only by `wait`.
 */
import type { Engine, OutgoingProbe, ReceivedReply } from "../../apps/probing/agent/engine/engine.ts";
import { type Ending, Outstanding } from "../../apps/user/trace/outstanding.ts";
import { type Address, address } from "../../lib/net/ip/address.ts";
import { ianaNumber, type Probe } from "../../lib/net/packet/probe.ts";
import { asSent, type Reply, rttUnknownTenthMs } from "../../lib/net/packet/reply.ts";
import { tagKey, tagOf } from "../../lib/net/packet/tag.ts";
import { tickOfUs, wireTimeCode, wrapOf } from "../../lib/net/packet/time-code.ts";

const secret = new TextEncoder().encode("a secret");
const keys = [tagKey(secret, "trace", 0), tagKey(secret, "trace", 1)] as const;
const wholeTag = 2n ** 64n - 1n;

export const startMs = 1_800_000_000_000;
export const waitMs = 1000;
export const queueProbesMax = 2;
export const source = address("192.0.2.1");
export const probe: Probe = {
  dst: address("203.0.113.10"),
  protocol: "udp",
  srcPort: 24000,
  dstPort: 33434,
  ttl: 3,
};

interface Quote {
  readonly sentAtMs: number;
  /** Whose key made the tag. */
  readonly instance?: 0 | 1;
  /** The time code was rewritten on the way, so the engine cannot tell whose it is. */
  readonly rewritten?: true;
  readonly forged?: true;
  /** An echo reply from another address than the probed one. It names that one, so the engine cannot prove it. */
  readonly from?: Address;
  readonly mask?: bigint;
}

class HandEngine implements Engine {
  readonly offered: OutgoingProbe[] = [];
  readonly replies: ReceivedReply[] = [];
  readonly sentAt = new Map<number, number>();
  queued = 0;
  full = false;

  offer(_instance: number, offered: OutgoingProbe): boolean {
    if (!this.full) {
      this.offered.push(offered);
      this.sentAt.set(offered.index, 0);
    }
    return !this.full;
  }

  drain(onReply: (received: ReceivedReply) => void): number {
    const replies = this.replies.splice(0);
    for (const reply of replies) {
      onReply(reply);
    }
    return replies.length;
  }

  pending(): number {
    return this.queued;
  }

  sentAtUs(index: number): number {
    return this.sentAt.get(index) ?? 0;
  }

  counters(): Readonly<Record<string, number>> {
    return {};
  }

  failures(): readonly string[] {
    return [];
  }

  async stop(): Promise<void> {}
}

export class HandRig {
  readonly engine = new HandEngine();
  readonly outstanding: Outstanding;
  #nowMs = startMs;

  constructor() {
    const now = () => this.#nowMs;
    this.outstanding = new Outstanding({ engine: this.engine, keys, queueProbesMax, waitMs, now });
  }

  wait(durationMs: number): void {
    this.#nowMs += durationMs;
  }

  poll(): void {
    this.outstanding.poll();
  }

  /** Offers a probe that does not leave yet; gives the list that its ending will be in, null without room. */
  offer(what: Probe = probe, instance = 0): Ending[] | null {
    const endings: Ending[] = [];
    const taken = this.outstanding.send(instance, what, source, (ending) => endings.push(ending));
    return taken ? endings : null;
  }

  /** The probe offered last leaves now. */
  leave(): void {
    this.#setSentAtUs(this.#nowMs * 1000);
  }

  /** The kernel refuses the probe offered last. */
  fail(): void {
    this.#setSentAtUs(-1);
  }

  /** A probe that leaves at once. */
  send(what: Probe = probe, instance = 0): Ending[] {
    const endings = this.offer(what, instance);
    if (endings === null) {
      throw new Error("There is no room");
    }
    this.leave();
    return endings;
  }

  /** A router's answer, arriving now, to a probe that left at `sentAtMs`, as the engine's receiver hands it over. */
  answer(
    { sentAtMs, instance = 0, rewritten, forged, from, mask = wholeTag }: Quote,
    what: Probe = probe,
  ): void {
    const tick = tickOfUs(sentAtMs * 1000);
    const fields = { ...what, protocolNumber: ianaNumber[what.protocol] };
    const tag = tagOf(keys[instance], { ...fields, wireTimeCode: wireTimeCode(tick), wrap: wrapOf(tick) });
    const known = rewritten !== true && forged !== true && from === undefined;
    const rttTenthMs = known ? Math.round((this.#nowMs - sentAtMs) * 10) : rttUnknownTenthMs;
    this.engine.replies.push({
      reply: { ...replyTo(what, this.#nowMs, rttTenthMs), ...(from === undefined ? {} : echoReply(from)) },
      verdict: known ? "match" : "mismatch",
      instance: known ? instance : -1,
      measurement: known ? instance : -1,
      quotedTag: { mask, value: (forged === true ? ~tag : tag) & mask },
    });
  }

  #setSentAtUs(sentAtUs: number): void {
    const last = this.engine.offered.at(-1);
    if (last !== undefined) {
      this.engine.sentAt.set(last.index, sentAtUs);
    }
  }
}

function echoReply(from: Address) {
  return { replySrcAddr: from, probeDstAddr: from, replyIcmpType: 0 };
}

function replyTo(what: Probe, receivedAtMs: number, rttTenthMs: number): Reply {
  return {
    timeReceivedNs: BigInt(receivedAtMs) * 1_000_000n,
    agentId: "trace",
    replySrcAddr: address("10.0.0.3"),
    replyDstAddr: source,
    replyId: 0,
    replySize: 56,
    replyTtl: 62,
    replyQuotedTtl: 1,
    replyProtocol: ianaNumber.icmp,
    replyIcmpType: 11,
    replyIcmpCode: 0,
    replyMplsLabels: [],
    probeSrcAddr: source,
    probeDstAddr: what.dst,
    probeId: 0,
    probeSize: 41,
    probeTtl: what.ttl,
    probeProtocol: ianaNumber[what.protocol],
    probeSrcPort: what.srcPort,
    probeDstPort: what.dstPort,
    rttTenthMs,
    rttUs: 0,
    replyQuotedTrafficClass: 0,
    replyNextHopMtu: 0,
    replyQuotedFlowLabel: 0,
    replySite: "",
    ...asSent,
  };
}
