/**
 * Tracks the probes in flight, and finds the one that a reply answers.
 *
 * State is kept per probe, so this works behind a NAT that rewrites the quoted checksum and with it the time code. A
 * reply names its probe by destination, source port, TTL and protocol. Several probes with the same name, the queries
 * of one hop, are distinguished by the send time in the reply. When that time fits none of them, it was rewritten:
 * then the tag must fit the time at which one of them was sent, or the reply is forged.
 *
 * A host may answer from another of its addresses, as routers do that are pinged by their subnet's anycast address
 * (RFC 4443 s.2.2). Such an answer names no probe that was sent; its tag is compared with those of all.
 */
import { type Address, formatAddress } from "../../../lib/net/ip/address.ts";
import { ianaNumber, type Probe } from "../../../lib/net/packet/probe.ts";
import type { Reply } from "../../../lib/net/packet/reply.ts";
import type { SipKey } from "../../../lib/net/packet/siphash.ts";
import { tagFits, tagOf } from "../../../lib/net/packet/tag.ts";
import { tickOfNs, tickOfUs, wireTimeCode, wrapOf } from "../../../lib/net/packet/time-code.ts";
import type { Engine, ReceivedReply } from "../../probing/agent/engine/engine.ts";
import { asProbed } from "./as-probed.ts";
import { probesInFlightMax, sendMsMax } from "./limits.ts";
import { TagIndex } from "./tag-index.ts";

/** The outcome of a probe: a reply and its RTT (null = ambiguous), or why there is no reply. */
export type Ending = { readonly reply: Reply; readonly rttMs: number | null } | "lost" | "failed";

/** Replies from one destination that match no outstanding probe. */
export interface LeftOut {
  /** Replies with a wrong tag. */
  readonly forged: number;
  /** Replies after the probe had expired, or had already been answered. */
  readonly late: number;
}

interface Pending {
  readonly name: string;
  readonly instance: number;
  readonly slot: number;
  readonly probe: Probe;
  readonly offeredAtMs: number;
  readonly onEnd: (ending: Ending) => void;
}

interface Ended {
  readonly probe: Probe;
  readonly instance: number;
  readonly sentAtUs: number;
}

interface OutstandingConfig {
  readonly engine: Engine;
  /** Tag key of each instance of the engine. */
  readonly keys: readonly SipKey[];
  /** Probes that may wait in the queue of an instance; at least 1. */
  readonly queueProbesMax: number;
  readonly waitMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Receives events about recorded packets; null = not recorded. */
  readonly recording?: RecordedReplies | null;
}

export interface RecordedReplies {
  /** Reads the packets that have arrived. */
  take(): void;
  /** A reply that the engine could not prove, captured at this time, answers a probe after all. */
  accept(timeReceivedNs: bigint): void;
}

/** The engine hands packets over in blocks that are at most this old. */
const captureDelayMs = 50;
/** Send ticks kept for each name, to recognise a duplicate or late reply. */
const endedTicksMax = 1024;
/** Finished probes that an answer from another address is still recognised as late for. */
const endedTagsMax = 16_384;

export class Outstanding {
  readonly #config: OutstandingConfig;
  readonly #byName = new Map<string, Pending[]>();
  readonly #inOrder = new Set<Pending>();
  readonly #destinations = new Set<string>();
  readonly #leftOut = new Map<string, LeftOut>();
  readonly #endedTicks = new Map<string, number[]>();
  /** Instances that did not send a probe in time: probes queued for them would wait forever. */
  readonly #stuck = new Set<number>();
  readonly #pendingTags: TagIndex<Pending>;
  readonly #endedTags: TagIndex<Ended>;
  readonly #freeSlots = Array.from({ length: probesInFlightMax }, (_, slot) => slot);

  constructor(config: OutstandingConfig) {
    this.#config = config;
    const { keys, engine } = config;
    const pendingAtUs = ({ slot }: Pending) => engine.sentAtUs(slot);
    this.#pendingTags = new TagIndex({ keys, sentAtUs: pendingAtUs, entriesMax: probesInFlightMax });
    const endedAtUs = ({ sentAtUs }: Ended) => sentAtUs;
    this.#endedTags = new TagIndex({ keys, sentAtUs: endedAtUs, entriesMax: endedTagsMax });
  }

  /** Queues a probe; false when there is no room now. `onEnd` is called once, from `poll`. */
  send(instance: number, probe: Probe, source: Address, onEnd: (ending: Ending) => void): boolean {
    const slot = this.#freeSlots.at(-1);
    if (slot === undefined || !this.#hasRoom(instance)) {
      return false;
    }
    if (!this.#config.engine.offer(instance, { ...probe, src: source, measurement: instance, index: slot })) {
      return false;
    }
    this.#freeSlots.pop();
    const name = nameOf(probe.dst, probe.srcPort, probe.ttl, ianaNumber[probe.protocol]);
    const pending = { name, instance, slot, probe, offeredAtMs: this.#config.now(), onEnd };
    this.#inOrder.add(pending);
    this.#pendingTags.add(pending);
    this.#destinations.add(formatAddress(probe.dst));
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), pending]);
    return true;
  }

  /** Handles the replies that have arrived, and expires probes. */
  poll(): void {
    this.#config.recording?.take();
    this.#config.engine.drain((received) => this.#take(received));
    this.#expire();
  }

  leftOut(destination: Address): LeftOut {
    return this.#leftOut.get(formatAddress(destination)) ?? { forged: 0, late: 0 };
  }

  /** Whether some wait for their turn at the rate. */
  get isQueued(): boolean {
    const { engine, keys } = this.#config;
    return keys.some((_, instance) => !this.#stuck.has(instance) && engine.pending(instance) > 0);
  }

  #hasRoom(instance: number): boolean {
    const { engine, queueProbesMax } = this.#config;
    return this.#stuck.has(instance) || engine.pending(instance) < queueProbesMax;
  }

  #take(received: ReceivedReply): void {
    const { reply } = received;
    const { probeDstAddr, probeSrcPort, probeTtl, probeProtocol } = reply;
    const name = nameOf(probeDstAddr, probeSrcPort, probeTtl, probeProtocol);
    const pending = this.#byName.get(name) ?? [];
    const byTime = this.#findByTime(name, pending, received);
    if (byTime === "ended") {
      this.#leaveOut(probeDstAddr, "late");
      return;
    }
    const fitting = byTime === null ? pending.filter((one) => this.#tagFits(one, received)) : [byTime];
    const oldest = fitting[0];
    if (oldest !== undefined) {
      const isProven = received.verdict === "match";
      if (!isProven) {
        this.#config.recording?.accept(reply.timeReceivedNs);
      }
      this.#end(oldest, {
        reply: isProven ? reply : asProbed(reply, oldest.probe),
        rttMs: fitting.length === 1 ? this.#rttMs(oldest, reply) : null,
      });
    } else if (received.verdict === "match") {
      this.#leaveOut(probeDstAddr, "late");
    } else if (this.#takeFromElsewhere(received)) {
      return;
    } else if (pending.length > 0) {
      this.#leaveOut(probeDstAddr, "forged");
    } else if (this.#fitsEnded(name, received)) {
      this.#leaveOut(probeDstAddr, "late");
    }
  }

  /** False when no probe that is known has the tag. */
  #takeFromElsewhere({ reply, quotedTag }: ReceivedReply): boolean {
    const pending = this.#pendingTags.find(quotedTag);
    if (pending !== null) {
      this.#config.recording?.accept(reply.timeReceivedNs);
      this.#end(pending, { reply: asProbed(reply, pending.probe), rttMs: this.#rttMs(pending, reply) });
      return true;
    }
    const ended = this.#endedTags.find(quotedTag);
    if (ended !== null) {
      this.#leaveOut(ended.probe.dst, "late");
    }
    return ended !== null;
  }

  /** For an answer whose time was rewritten: whether its tag belongs to a finished probe of this name. */
  #fitsEnded(name: string, { reply, quotedTag }: ReceivedReply): boolean {
    const { probeDstAddr: dst, probeSrcPort: srcPort, probeTtl: ttl, probeProtocol: protocolNumber } = reply;
    const probe = { dst, srcPort, ttl, protocolNumber };
    const ticks = this.#endedTicks.get(name) ?? [];
    return ticks.some((tick) => {
      const fields = { ...probe, wireTimeCode: wireTimeCode(tick), wrap: wrapOf(tick) };
      return this.#config.keys.some((key) => tagFits(tagOf(key, fields), quotedTag));
    });
  }

  /** Subtracted before it becomes a float: times since the epoch have no room for nanoseconds there. */
  #rttMs({ slot }: Pending, { timeReceivedNs }: Reply): number {
    const sentAtNs = BigInt(Math.round(this.#config.engine.sentAtUs(slot))) * 1000n;
    return Math.max(0, Number(timeReceivedNs - sentAtNs) / 1e6);
  }

  /** The probe that left in the tick that the reply names; "ended" when that probe has finished; null = neither. */
  #findByTime(name: string, pending: Pending[], { reply, verdict }: ReceivedReply): Pending | "ended" | null {
    if (verdict !== "match") {
      return null;
    }
    const sentTick = tickOfNs(reply.timeReceivedNs) - reply.rttTenthMs;
    const found = pending.find(({ slot }) => tickOfUs(this.#config.engine.sentAtUs(slot)) === sentTick);
    if (found !== undefined) {
      return found;
    }
    return this.#endedTicks.get(name)?.includes(sentTick) ? "ended" : null;
  }

  #tagFits({ slot, probe }: Pending, { quotedTag, instance }: ReceivedReply): boolean {
    const sentAtUs = this.#config.engine.sentAtUs(slot);
    const { dst, srcPort, ttl } = probe;
    const fields = {
      dst,
      srcPort,
      ttl,
      protocolNumber: ianaNumber[probe.protocol],
      wireTimeCode: wireTimeCode(tickOfUs(sentAtUs)),
      wrap: wrapOf(tickOfUs(sentAtUs)),
    };
    const keys = instance < 0 ? this.#config.keys : this.#config.keys.slice(instance, instance + 1);
    return sentAtUs > 0 && keys.some((key) => tagFits(tagOf(key, fields), quotedTag));
  }

  /** Only for probed destinations, so that foreign packets cannot make the table grow. */
  #leaveOut(destination: Address, why: keyof LeftOut): void {
    const counts = this.leftOut(destination);
    const key = formatAddress(destination);
    if (this.#destinations.has(key)) {
      this.#leftOut.set(key, { ...counts, [why]: counts[why] + 1 });
    }
  }

  /** Probes are in the order in which they were offered, so the first one that may wait ends the search. */
  #expire(): void {
    const nowMs = this.#config.now();
    for (const pending of this.#inOrder) {
      const sentAtUs = this.#config.engine.sentAtUs(pending.slot);
      if (sentAtUs < 0) {
        this.#end(pending, "failed");
      } else if (sentAtUs === 0 && nowMs > pending.offeredAtMs + sendMsMax) {
        this.#stuck.add(pending.instance);
        this.#end(pending, "failed");
      } else if (sentAtUs > 0 && nowMs > sentAtUs / 1e3 + this.#config.waitMs + captureDelayMs) {
        this.#end(pending, "lost");
      } else {
        return;
      }
    }
  }

  #end(pending: Pending, ending: Ending): void {
    this.#inOrder.delete(pending);
    const { name, slot } = pending;
    const others = (this.#byName.get(name) ?? []).filter((one) => one !== pending);
    if (others.length > 0) {
      this.#byName.set(name, others);
    } else {
      this.#byName.delete(name);
    }
    const sentAtUs = this.#config.engine.sentAtUs(slot);
    this.#pendingTags.delete(pending);
    this.#endedTags.add({ probe: pending.probe, instance: pending.instance, sentAtUs });
    const ticks = [...(this.#endedTicks.get(name) ?? []), tickOfUs(sentAtUs)];
    this.#endedTicks.set(name, ticks.slice(-endedTicksMax));
    this.#freeSlots.push(slot);
    pending.onEnd(ending);
  }
}

function nameOf(dst: Address, srcPort: number, ttl: number, protocolNumber: number): string {
  return `${formatAddress(dst)} ${srcPort} ${ttl} ${protocolNumber}`;
}
