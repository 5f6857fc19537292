/**
 * Probes by their tag, for answers that do not name their probe: an echo reply that comes from another address than the
 * probed one, or a quote in which a NAT has rewritten the destination.
 *
 * A tag costs some microseconds, so it is made only once such an answer has come: then for every probe that is known.
 */
import { ianaNumber, type Probe } from "../../../lib/net/packet/probe.ts";
import type { SipKey } from "../../../lib/net/packet/siphash.ts";
import { type QuotedTag, tagOf } from "../../../lib/net/packet/tag.ts";
import { tickOfUs, wireTimeCode, wrapOf } from "../../../lib/net/packet/time-code.ts";

interface Tagged {
  readonly probe: Probe;
  readonly instance: number;
}

interface TagIndexConfig<Entry> {
  /** Tag key of each instance. */
  readonly keys: readonly SipKey[];
  /** Microseconds since the epoch; 0 and less = it has not left, so it has no tag yet. */
  readonly sentAtUs: (entry: Entry) => number;
  /** The oldest are forgotten beyond. */
  readonly entriesMax: number;
}

export class TagIndex<Entry extends Tagged> {
  readonly #config: TagIndexConfig<Entry>;
  readonly #untagged = new Set<Entry>();
  readonly #byTag = new Map<bigint, Entry>();
  readonly #tags = new Map<Entry, bigint>();

  constructor(config: TagIndexConfig<Entry>) {
    this.#config = config;
  }

  add(entry: Entry): void {
    const [oldest] = this.#tags.size > 0 ? this.#tags.keys() : this.#untagged;
    if (this.#tags.size + this.#untagged.size >= this.#config.entriesMax && oldest !== undefined) {
      this.delete(oldest);
    }
    this.#untagged.add(entry);
  }

  delete(entry: Entry): void {
    const tag = this.#tags.get(entry);
    this.#untagged.delete(entry);
    this.#tags.delete(entry);
    if (tag !== undefined && this.#byTag.get(tag) === entry) {
      this.#byTag.delete(tag);
    }
  }

  /** The probe with this tag. It must be quoted whole: a part of it equals none. */
  find({ value }: QuotedTag): Entry | null {
    for (const entry of this.#untagged) {
      const sentAtUs = this.#config.sentAtUs(entry);
      if (sentAtUs > 0) {
        this.#setTag(entry, tickOfUs(sentAtUs));
      }
    }
    return this.#byTag.get(value) ?? null;
  }

  #setTag(entry: Entry, tick: number): void {
    const { probe, instance } = entry;
    const key = this.#config.keys[instance];
    this.#untagged.delete(entry);
    if (key !== undefined) {
      const { dst, srcPort, ttl } = probe;
      const time = { wireTimeCode: wireTimeCode(tick), wrap: wrapOf(tick) };
      const tag = tagOf(key, { dst, srcPort, ttl, protocolNumber: ianaNumber[probe.protocol], ...time });
      this.#tags.set(entry, tag);
      this.#byTag.set(tag, entry);
    }
  }
}
