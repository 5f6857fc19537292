import type { Address } from "../ip/address.ts";

/** One way from an agent to a destination, as one flow found it. */
export interface TracedHops {
  readonly destination: Address;
  /** Who answered at each TTL, without gaps, the lowest TTL first; null = nobody. */
  readonly hops: readonly (Address | null)[];
}
