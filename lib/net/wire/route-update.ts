/** An update of a route, as collectors publish it: see update-codec.ts. */
import type { Address } from "../ip/address.ts";

/** The fields of update.capnp. */
export interface RouteUpdate {
  readonly timeReceivedNs: bigint;
  readonly timeBmpHeaderNs: bigint;
  readonly routerAddr: Address;
  readonly routerPort: number;
  readonly peerAddr: Address;
  readonly peerBgpId: number;
  readonly peerAsn: number;
  readonly prefixAddr: Address;
  readonly prefixLen: number;
  readonly isPostPolicy: boolean;
  readonly isAdjRibOut: boolean;
  readonly announced: boolean;
  readonly synthetic: boolean;
  readonly origin: string;
  readonly asPath: readonly number[];
  readonly nextHop: Address;
  readonly multiExitDisc: number;
  readonly localPreference: number;
  readonly onlyToCustomer: number;
  readonly atomicAggregate: boolean;
  readonly aggregatorAsn: number;
  readonly aggregatorBgpId: number;
  readonly communities: readonly (readonly [asn: number, value: number])[];
  readonly extendedCommunities: readonly (readonly [typeHigh: number, typeLow: number, value: Uint8Array])[];
  readonly largeCommunities: readonly (readonly [asn: number, first: number, second: number])[];
  readonly originatorId: number;
  readonly clusterList: readonly number[];
  readonly mpReachAfi: number;
  readonly mpReachSafi: number;
  readonly mpUnreachAfi: number;
  readonly mpUnreachSafi: number;
}
