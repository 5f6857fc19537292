/** A path as the context of routes reads it. */
import type { Address } from "../../net/ip/address.ts";

/** The path from an agent to a destination, as one flow shows it. */
export interface TracedHops {
  readonly destination: Address;
  /** The address that answered at each TTL, without gaps, the lowest TTL first; null = none. */
  readonly hops: readonly (Address | null)[];
}
