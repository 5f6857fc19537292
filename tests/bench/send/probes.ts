/** The probes of the send bench: UDP, one to each of many destinations, so that no two packets are alike. */
import type { OutgoingProbe } from "../../../apps/probing/agent/engine/engine.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { senderAddress } from "./veth-link.ts";

/** Reuses one object and one address for all probes: the receiver copies their bytes. */
export class ProbeStream {
  readonly #probe: OutgoingProbe = {
    dst: address("10.0.0.0").slice(),
    src: address(senderAddress),
    srcPort: 24000,
    dstPort: 33434,
    ttl: 16,
    protocol: "udp",
    measurement: 0,
    index: 0,
  };
  #count = 0;

  next(): OutgoingProbe {
    const count = this.#count++;
    const { dst } = this.#probe;
    dst[13] = count >> 16;
    dst[14] = count >> 8;
    dst[15] = count;
    return this.#probe;
  }
}
