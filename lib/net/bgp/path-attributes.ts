/** The path attributes of a route that a monitor shows. */
import type { Address } from "../ip/address.ts";
import type { AsPath } from "./as-path.ts";

export const origins = ["IGP", "EGP", "INCOMPLETE"] as const;

export interface Aggregator {
  readonly asn: number;
  readonly address: Address;
}

export interface PathAttributes {
  origin: (typeof origins)[number] | null;
  asPath: AsPath;
  /** IPv4 routes carry it in NEXT_HOP, all others in MP_REACH_NLRI. */
  nextHop: Address | null;
  med: number | null;
  localPreference: number | null;
  isAtomicAggregate: boolean;
  aggregator: Aggregator | null;
  /** RFC 1997, as two halves. */
  communities: readonly (readonly [asn: number, value: number])[];
  /** RFC 4360: the 8 bytes of each, in hexadecimal. */
  extendedCommunities: readonly string[];
  /** RFC 8092. */
  largeCommunities: readonly (readonly [asn: number, first: number, second: number])[];
  originatorId: Address | null;
  clusterList: readonly Address[];
  /** RFC 9234. */
  onlyToCustomer: number | null;
}

export function noAttributes(): PathAttributes {
  return {
    origin: null,
    asPath: [],
    nextHop: null,
    med: null,
    localPreference: null,
    isAtomicAggregate: false,
    aggregator: null,
    communities: [],
    extendedCommunities: [],
    largeCommunities: [],
    originatorId: null,
    clusterList: [],
    onlyToCustomer: null,
  };
}
