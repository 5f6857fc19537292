/** A vector: packets of one link type, and what has to come of each. */
import { ianaNumber } from "../../../lib/net/packet/probe.ts";
import { tickUs } from "../../../lib/net/packet/time-code.ts";
import type { LabelLoss } from "../../packet/extensions.ts";
import type { Match } from "../../packet/match.ts";
import type { Refusal } from "../../packet/raw-reply.ts";
import type { SiteFlaw } from "../../packet/site-flaw.ts";
import type { AnswerPacket, ExpectedReply } from "./answers.ts";
import { ethernet, ethernetLinkType, type Wrap } from "./frames.ts";
import { sentTick } from "./probe-sample.ts";

/** What becomes of a frame: refused, or a reply whose tag fits, or one that is counted and dropped or marked. */
export type Outcome = Refusal | "foreign" | "match" | Match["verdict"];

/** What is wrong with a reply that is kept all the same: its own checksum, or that labels or a site are missing. */
export type Flaw = "checksum" | LabelLoss | SiteFlaw;

export interface VectorPacket {
  /** What it is, for people. */
  readonly what: string;
  readonly timeNs: bigint;
  readonly frame: Uint8Array;
  readonly outcome: Outcome;
  /** Where a reply has to come of it. */
  readonly reply?: ExpectedReply;
  /** Tenths of milliseconds; 65535 where the answer proves nothing. */
  readonly rttTenthMs?: number;
  /** Counted flaws of a reply; none by default. */
  readonly flaws?: readonly Flaw[];
}

export interface Vector {
  readonly name: string;
  readonly linkType: number;
  readonly fractionNs: 1 | 1000;
  readonly packets: readonly VectorPacket[];
}

/** Without the integrity check, ICMP with these is kept. */
const unprovenOutcomes: readonly Outcome[] = ["mismatch", "untagged", "tcpUnproven"];

/** The round trip of every packet, unless it says otherwise: 12.3 ms, and half a tick for the rounding. */
const usualRttTenthMs = 123;

/** When a packet is received that long after the probes left, in the middle of a tick. */
export function timeAfter(rttTenthMs: number): bigint {
  return (BigInt(sentTick + rttTenthMs) * BigInt(tickUs) + BigInt(tickUs) / 2n) * 1000n;
}

interface PacketOptions {
  readonly outcome?: Outcome;
  readonly rttTenthMs?: number;
  readonly wrap?: Wrap;
  readonly flaws?: readonly Flaw[];
}

/** An answer on Ethernet that has to be read, and to match unless it says otherwise. */
export function answered(what: string, answer: AnswerPacket, options: PacketOptions = {}): VectorPacket {
  const { outcome = "match", rttTenthMs = usualRttTenthMs, wrap = ethernet() } = options;
  const flaws = options.flaws === undefined ? {} : { flaws: options.flaws };
  const packet = { what, timeNs: timeAfter(rttTenthMs), frame: wrap(answer.packet), outcome, ...flaws };
  if (outcome === "match") {
    return { ...packet, reply: answer.reply, rttTenthMs };
  }
  const { replyProtocol } = answer.reply;
  const isDirect = replyProtocol === ianaNumber.tcp || replyProtocol === ianaNumber.udp;
  const isKept = unprovenOutcomes.includes(outcome) && !isDirect;
  return isKept ? { ...packet, reply: answer.reply, rttTenthMs: 65535 } : packet;
}

/** A frame of which nothing must come. */
export function ignored(what: string, outcome: Outcome, frame: Uint8Array): VectorPacket {
  return { what, timeNs: timeAfter(usualRttTenthMs), frame, outcome };
}

/** Packets on Ethernet, stamped in nanoseconds. */
export function vector(name: string, packets: readonly VectorPacket[]): Vector {
  return { name, linkType: ethernetLinkType, fractionNs: 1, packets };
}
