/** Summary of a submission's probes, for its title and for searches, collected from their messages. */

import { flowsMax, type ProbeSummary } from "../../../../lib/measuring/probing/measurement-title.ts";
import { TargetCover } from "../../../../lib/measuring/probing/target-cover.ts";
import { addressBytes, formatAddress } from "../../../../lib/net/ip/address.ts";
import {
  flowOfProbe,
  probeMessageBytes,
  protocolOfProbe,
  ttlOfProbe,
} from "../../../../lib/net/wire/probe-codec.ts";
import { protocolOfNumber } from "../../../../lib/net/wire/protocol-number.ts";
import { targetPrefixesMax, targetsCountedMax } from "../limits.ts";

const destinationAt = probeMessageBytes - addressBytes;

export class SummarizedProbes {
  readonly #cover = new TargetCover(targetsCountedMax);
  readonly #first = new Uint8Array(addressBytes);
  readonly #last = new Uint8Array(addressBytes);
  readonly #flows = new Set<number>();
  readonly #protocols = new Set<number>();
  #ttlMin = Number.POSITIVE_INFINITY;
  #ttlMax = 0;

  /** The message may be reused after the call. */
  take(messages: Uint8Array, offset: number): void {
    const isFirst = this.#ttlMax === 0;
    const destination = messages.subarray(offset + destinationAt, offset + probeMessageBytes);
    if (isFirst) {
      this.#first.set(destination);
    }
    // Most probes have the previous one's destination.
    if (isFirst || !isSame(destination, this.#last)) {
      this.#last.set(destination);
      this.#cover.add(destination);
    }
    const ttl = ttlOfProbe(messages, offset);
    this.#ttlMin = Math.min(this.#ttlMin, ttl);
    this.#ttlMax = Math.max(this.#ttlMax, ttl);
    this.#protocols.add(protocolOfProbe(messages, offset));
    if (this.#flows.size < flowsMax && isSame(destination, this.#first)) {
      this.#flows.add(flowOfProbe(messages, offset));
    }
  }

  /** Call it after the first probe. */
  summary(): ProbeSummary {
    return {
      protocols: [...this.#protocols].map((number) => protocolOfNumber(number) ?? `${number}`),
      ttl_min: this.#ttlMin,
      ttl_max: this.#ttlMax,
      first: formatAddress(this.#first),
      destinations: this.#cover.addresses,
      flows: [...this.#flows],
    };
  }

  /** Prefixes that contain all destinations. Call it last. */
  prefixes(): readonly string[] {
    return this.#cover.list(targetPrefixesMax).sort();
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = addressBytes - 1; i >= 0; i--) {
    if (a[i] !== b[i]) {
      return false;
    }
  }
  return true;
}
