/** The WebAssembly module on packets of a test, compared with the reference receiver record by record. */
import { expect } from "bun:test";
import { Hotpath } from "../../ffi/hotpath/hotpath.ts";
import * as at from "../../ffi/hotpath/memory-layout.ts";
import { encodeReply } from "../../lib/net/wire/reply-codec.ts";
import { labelLosses } from "../packet/extensions.ts";
import { refusals } from "../packet/raw-reply.ts";
import { siteFlaws } from "../packet/site-flaw.ts";
import { type Packet, writeRecord } from "./hand/savefile.ts";
import type { Flaw, Outcome } from "./hand/vector.ts";
import { type Received, type ReferenceConfig, receiveReference } from "./reference-receiver.ts";

/** Packets handed to the module at once; their replies may fill its room earlier. */
const batchPackets = 4096;

/** Names of the counters, in the order of memory-layout.ts. */
const counterNames: readonly Outcome[] = [
  ...refusals,
  ...(["foreign", "stale", "mismatch", "untagged", "tcpUnproven", "match"] as const),
];

const flawNames: readonly Flaw[] = ["checksum", ...labelLosses, ...siteFlaws];

export class WasmReceiver {
  readonly #hotpath = new Hotpath();
  readonly #config: ReferenceConfig;
  /** Outcomes so far, by the reference. */
  readonly seen = new Map<Outcome, number>();
  /** The same of what is wrong with replies that are kept. */
  readonly flaws = new Map<Flaw, number>();

  constructor(config: ReferenceConfig) {
    this.#config = config;
    this.#hotpath.configureReceive({ ...config, integrityCheck: false });
  }

  /** Throws at the first packet on which the two differ; packets of any number and link type. */
  compare(packets: readonly Packet[], linkType: number, fractionNs: 1 | 1000): void {
    for (let first = 0; first < packets.length; ) {
      first += this.#compareBatch(packets.slice(first, first + batchPackets), linkType, fractionNs);
    }
    for (const [i, name] of counterNames.entries()) {
      expect([name, this.#hotpath.counter(i)]).toEqual([name, this.seen.get(name) ?? 0]);
    }
    for (const [i, name] of flawNames.entries()) {
      const counted = this.#hotpath.counter(at.counterBadChecksum + i);
      expect([name, counted]).toEqual([name, this.flaws.get(name) ?? 0]);
    }
  }

  /** Returns how many packets the module took, which its room limits. */
  #compareBatch(packets: readonly Packet[], linkType: number, fractionNs: 1 | 1000): number {
    const ends = this.#load(packets, fractionNs);
    const end = ends.at(-1) ?? at.captureAt;
    const stoppedAt = this.#hotpath.receive(at.captureAt, end, linkType, fractionNs);
    const taken = ends.indexOf(stoppedAt) + 1;
    let record = at.repliesAt;
    for (const packet of packets.slice(0, taken)) {
      const received = receiveReference(packet.frame, linkType, packet.timeNs, this.#config);
      this.seen.set(received.outcome, (this.seen.get(received.outcome) ?? 0) + 1);
      if (received.reply !== undefined) {
        for (const flaw of received.flaws) {
          this.flaws.set(flaw, (this.flaws.get(flaw) ?? 0) + 1);
        }
        record = this.#compareRecord(record, received, packet);
      }
    }
    if (taken === 0 || record !== this.#hotpath.repliesEnd()) {
      throw new Error(
        `The module wrote other replies: ended at ${this.#hotpath.repliesEnd()}, not ${record}`,
      );
    }
    return taken;
  }

  /** Puts records into the capture region, as many as have room; returns where each ends. */
  #load(packets: readonly Packet[], fractionNs: 1 | 1000): number[] {
    const ends: number[] = [];
    let position = at.captureAt;
    for (const packet of packets) {
      const record = writeRecord(packet, fractionNs);
      if (position + record.length > at.captureAt + at.captureBytes) {
        break;
      }
      this.#hotpath.bytes.set(record, position);
      position += record.length;
      ends.push(position);
    }
    return ends;
  }

  #compareRecord(record: number, received: Received, packet: Packet): number {
    const { view, bytes } = this.#hotpath;
    const message = received.reply === undefined ? new Uint8Array(0) : encodeReply(received.reply);
    const start = record + at.replyHeaderBytes;
    const seen = [
      view.getUint32(record, true),
      view.getInt32(record + at.replyKeyOffset, true),
      Number(view.getBigInt64(record + at.replySentTickOffset, true)),
      view.getBigUint64(record + at.replyTagMaskOffset, true),
      view.getBigUint64(record + at.replyTagValueOffset, true),
      view.getUint32(record + at.replyMessageBytesOffset, true),
    ];
    const { key, sentTick, raw } = received;
    const tag = [raw?.quotedTag.mask, raw?.quotedTag.value];
    const expected = [at.replyHeaderBytes + message.length, key, sentTick, ...tag, message.length];
    const same = Buffer.compare(bytes.subarray(start, start + message.length), message) === 0;
    if (!same || expected.some((value, i) => value !== seen[i])) {
      const hex = Buffer.from(packet.frame).toString("hex");
      throw new Error(`The parsers differ on ${hex}: ${seen} in the module, ${expected} by the reference`);
    }
    return record + message.length + at.replyHeaderBytes;
  }
}
