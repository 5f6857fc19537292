/** Everything known about addresses on one day: every table of a set behind one look-up. */
import type { Address } from "../../net/ip/address.ts";
import { formatPrefix } from "../../net/ip/prefix.ts";
import { type ExchangeHop, Exchanges } from "./exchanges.ts";
import type { AsName, Exchange, Geolocation, Registration } from "./facts.ts";
import { Origins } from "./origins.ts";
import { type Relationship, Relationships } from "./relationships.ts";
import type { SetFiles } from "./set-files.ts";
import { ValuedRanges } from "./valued-ranges.ts";
import { type RovState, Vrps } from "./vrps.ts";

/** Null in each field = not in the set. */
export interface AddressContext {
  /** On the LAN of an exchange the member that owns the address, else the origin in BGP, else the AS in a database. */
  readonly asn: number | null;
  readonly asName: AsName | null;
  /** The source of `asn`. */
  readonly asnSource: "exchange" | "bgp" | "database" | null;
  /** The announced prefix that holds the address, as text. */
  readonly prefix: string | null;
  /** Further origins of that prefix, or the members of its AS_SET. */
  readonly otherAsns: readonly number[];
  readonly exchange: Exchange | null;
  readonly place: Geolocation | null;
  /** RPKI state of the prefix and its origin in BGP. */
  readonly rpki: RovState | null;
  readonly registration: Registration | null;
}

export class ContextSet {
  readonly #origins: Origins;
  readonly #databaseOrigins: Origins;
  readonly #exchanges: Exchanges;
  readonly #places: ValuedRanges<Geolocation>;
  readonly #vrps: Vrps;
  readonly #registrations: ValuedRanges<Registration>;
  readonly #relationships: Relationships;
  readonly #asNames: ReadonlyMap<number, AsName>;

  /** @param files files that SetFiles has made or read */
  constructor(files: SetFiles) {
    const { tables, lists } = files;
    this.#origins = new Origins(tables.origins);
    this.#databaseOrigins = new Origins(tables.databaseOrigins);
    this.#exchanges = new Exchanges(tables.lans, tables.members, lists);
    this.#places = new ValuedRanges(tables.places, lists.places);
    this.#vrps = new Vrps(tables.vrps);
    this.#registrations = new ValuedRanges(tables.registrations, lists.registrations);
    this.#relationships = new Relationships(tables.relationships);
    this.#asNames = new Map(lists.asNames);
  }

  lookup(address: Address): AddressContext {
    const hop = this.#exchanges.find(address);
    const origin = hop === null ? this.#origins.find(address) : null;
    const [asn, asnSource] = this.#asnOf(address, hop === null ? undefined : hop.memberAsn, origin);
    return {
      asn,
      asName: this.#asNames.get(asn ?? 0) ?? null,
      asnSource,
      prefix: origin === null ? null : formatPrefix(origin.prefix),
      otherAsns: origin?.others ?? [],
      exchange: hop?.exchange ?? null,
      place: this.#places.find(address),
      rpki:
        origin?.asn == null || this.#vrps.count === 0 ? null : this.#vrps.validate(origin.prefix, origin.asn),
      registration: this.#registrations.find(address),
    };
  }

  /** The AS number alone, by the same rules, quickly; 0 = not known. */
  asnOf(address: Address): number {
    const hop = this.#exchanges.find(address);
    if (hop !== null) {
      return hop.memberAsn ?? 0;
    }
    return this.#origins.asnOf(address) || this.#databaseOrigins.asnOf(address);
  }

  /**
   * The same for addresses of 16 bytes one behind the other, several times as fast.
   *
   * @param asns receives an AS number for each address
   */
  asnsOf(addresses: Uint8Array, asns: Uint32Array): void {
    this.#origins.asnsOf(addresses, asns);
    for (let i = 0; i < asns.length; i++) {
      if (this.#exchanges.holds(addresses, 16 * i)) {
        asns[i] = this.asnOf(addresses.subarray(16 * i, 16 * i + 16));
      } else if (asns[i] === 0) {
        asns[i] = this.#databaseOrigins.asnOf(addresses, 16 * i);
      }
    }
  }

  /** The AS path in BGP to the address, from a peer of a route collector to the origin; null = not known. */
  asPathTo(address: Address): readonly number[] | null {
    return this.#origins.pathTo(address);
  }

  /** Null = not on the LAN of an exchange. */
  exchangeHopOf(address: Address): ExchangeHop | null {
    return this.#exchanges.find(address);
  }

  /** The relationship of `other` to `asn`; null = not in the set. */
  relationship(asn: number, other: number): Relationship | null {
    return this.#relationships.between(asn, other);
  }

  /** Size of the customer cone, 1 for an AS without customers. */
  coneOf(asn: number): number {
    return this.#relationships.coneOf(asn);
  }

  isExchangeMember(asn: number, exchangeId: number): boolean {
    return this.#exchanges.isMember(asn, exchangeId);
  }

  /** @param memberAsn undefined = the address is not on the LAN of an exchange */
  #asnOf(
    address: Address,
    memberAsn: number | null | undefined,
    origin: { readonly asn: number | null } | null,
  ): [number | null, AddressContext["asnSource"]] {
    if (memberAsn !== undefined) {
      return [memberAsn, memberAsn === null ? null : "exchange"];
    }
    if (origin !== null) {
      return [origin.asn, origin.asn === null ? null : "bgp"];
    }
    const asn = this.#databaseOrigins.asnOf(address);
    return asn === 0 ? [null, null] : [asn, "database"];
  }
}
