/** A submission's destinations, and its duration at their limits. */
import { BucketCounts } from "../../../../lib/measuring/probing/bucket-counts.ts";
import { encodeBuckets } from "../../../../lib/measuring/probing/bucket-set.ts";
import { addressHash, bucketOf, networkHash } from "../../../../lib/measuring/probing/destination-bucket.ts";
import { tcpCost } from "../../../../lib/measuring/probing/limits.ts";
import type { Address } from "../../../../lib/net/ip/address.ts";
import type { MeasurementShare } from "./destination-share.ts";

export class DestinationLoad {
  readonly #addresses = new BucketCounts();
  readonly #networks = new BucketCounts();

  add(destination: Address, isCostly: boolean): void {
    const packets = isCostly ? tcpCost : 1;
    this.#addresses.add(bucketOf(addressHash(destination)), packets);
    this.#networks.add(bucketOf(networkHash(destination)), packets);
  }

  /** As stored with the measurement: see lib/measuring/probing/bucket-set.ts. */
  destinations(): Uint8Array {
    return encodeBuckets(this.#networks.buckets());
  }

  /** For one target: the time of its busiest destination, with the current number of agents there. */
  seconds({ user_address, address, network, agents }: MeasurementShare): number {
    const needs = [
      [this.#addresses.most, user_address],
      [this.#addresses.most, address / agents],
      [this.#networks.most, network / agents],
    ] as const;
    return Math.max(...needs.map(([packets, rate]) => (rate === 0 ? 0 : packets / rate)));
  }
}
