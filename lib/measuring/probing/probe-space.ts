/**
 * All probes of a run as one numbered list: addresses × flows × TTLs, in that order, the TTL changing fastest.
 *
 * Number n is computed from n alone, so a run of any length needs only its targets' memory.
 */
import { type Address, familyOf } from "../../net/ip/address.ts";
import type { Probe, Protocol } from "../../net/packet/probe.ts";
import type { TargetTable } from "./target-table.ts";

export interface ProbeShape {
  readonly ttlFirst: number;
  readonly ttlLast: number;
  readonly flows: number;
  readonly srcPort: number;
  readonly dstPort: number;
  /** `icmp` is ICMPv6 where the target is IPv6. */
  readonly protocol: Protocol;
}

export class ProbeSpace {
  readonly #targets: TargetTable;
  readonly #shape: ProbeShape;
  readonly #ttls: number;
  readonly size: number;

  constructor(targets: TargetTable, shape: ProbeShape) {
    this.#targets = targets;
    this.#shape = shape;
    this.#ttls = shape.ttlLast - shape.ttlFirst + 1;
    this.size = targets.addresses * shape.flows * this.#ttls;
  }

  /** Probe number `index`; its address is in `dst`, which the caller may reuse. */
  probe(index: number, dst: Address): Probe {
    const { flows, srcPort, dstPort, ttlFirst, protocol } = this.#shape;
    const flowIndex = Math.floor(index / this.#ttls);
    this.#targets.addressInto(Math.floor(flowIndex / flows), dst);
    return {
      dst,
      srcPort: srcPort + (flowIndex % flows),
      dstPort,
      ttl: ttlFirst + (index % this.#ttls),
      protocol: protocol === "icmp" && familyOf(dst) === 6 ? "icmpv6" : protocol,
    };
  }
}
