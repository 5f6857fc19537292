/**
 * Internet exchanges: their LANs, and which member has which address on them.
 *
 * An address on the LAN of an exchange belongs to the router of a member, so the member's AS is the hop's, never the
 * origin of the LAN's prefix: such prefixes should not be in BGP, and where they leak, their origin is the exchange's.
 */
import { type Words, wordsOf } from "../../net/ip/words.ts";
import type { Exchange } from "./facts.ts";
import type { Sections } from "./section-file.ts";
import { ValuedRanges, ValuedRangesBuilder } from "./valued-ranges.ts";

export interface ExchangeHop {
  readonly exchange: Exchange;
  /** AS of the router with this address; null = not in the exchange's list of members. */
  readonly memberAsn: number | null;
}

/** The parts of the set outside the sections. */
interface ExchangeLists {
  readonly exchanges: readonly Exchange[];
  /** For each AS that is a member anywhere, the exchanges that it is at. */
  readonly memberships: readonly (readonly [asn: number, exchangeIds: readonly number[]])[];
}

export class Exchanges {
  readonly #lans: ValuedRanges<Exchange>;
  /** Host prefixes of the members' addresses; the value is the AS number. */
  readonly #members: ValuedRanges<number>;
  readonly #memberships: ReadonlyMap<number, ReadonlySet<number>>;

  constructor(
    lans: Sections,
    members: Sections,
    lists: ExchangeLists & { readonly asns: readonly number[] },
  ) {
    this.#lans = new ValuedRanges(lans, lists.exchanges);
    this.#members = new ValuedRanges(members, lists.asns);
    this.#memberships = new Map(lists.memberships.map(([asn, ids]) => [asn, new Set(ids)]));
  }

  /** Null = the address is not on the LAN of an exchange. */
  find(address: Uint8Array): ExchangeHop | null {
    const exchange = this.#lans.find(address);
    return exchange === null ? null : { exchange, memberAsn: this.#members.find(address) };
  }

  /** Is the address of 16 bytes at `offset` on the LAN of an exchange? */
  holds(addresses: Uint8Array, offset: number): boolean {
    return this.#lans.find(addresses, offset) !== null;
  }

  isMember(asn: number, exchangeId: number): boolean {
    return this.#memberships.get(asn)?.has(exchangeId) ?? false;
  }
}

/** Takes the tables of PeeringDB in any order, and joins them at the end. */
export class ExchangesBuilder {
  readonly #exchanges = new Map<number, Exchange>();
  /** Number of a LAN to number of its exchange. */
  readonly #lanExchanges = new Map<number, number>();
  readonly #prefixes: { readonly lan: number; readonly base: Words; readonly bits: number }[] = [];
  readonly #members: {
    readonly lan: number;
    readonly asn: number;
    readonly addresses: readonly Uint8Array[];
  }[] = [];

  addExchange(exchange: Exchange): void {
    this.#exchanges.set(exchange.id, exchange);
  }

  addLan(lan: number, exchangeId: number): void {
    this.#lanExchanges.set(lan, exchangeId);
  }

  addPrefix(lan: number, base: Words, bits: number): void {
    this.#prefixes.push({ lan, base, bits });
  }

  addMember(lan: number, asn: number, addresses: readonly Uint8Array[]): void {
    this.#members.push({ lan, asn, addresses });
  }

  get prefixCount(): number {
    return this.#prefixes.length;
  }

  get memberCount(): number {
    return this.#members.length;
  }

  /** Prefixes of LANs whose exchange is not in the data are left out. */
  lans(): ValuedRangesBuilder<Exchange> {
    const lans = new ValuedRangesBuilder<Exchange>();
    for (const { lan, base, bits } of this.#prefixes) {
      const exchange = this.#exchangeOf(lan);
      if (exchange !== null) {
        lans.add(base, bits, exchange);
      }
    }
    return lans;
  }

  /** Members' addresses as host prefixes. */
  members(): ValuedRangesBuilder<number> {
    const members = new ValuedRangesBuilder<number>();
    for (const { asn, addresses } of this.#members) {
      for (const address of addresses) {
        members.add(wordsOf(address), 128, asn);
      }
    }
    return members;
  }

  memberships(): [asn: number, exchangeIds: number[]][] {
    const ids = new Map<number, Set<number>>();
    for (const { lan, asn } of this.#members) {
      const exchange = this.#exchangeOf(lan);
      if (exchange !== null) {
        ids.set(asn, (ids.get(asn) ?? new Set()).add(exchange.id));
      }
    }
    return [...ids].map(([asn, exchanges]) => [asn, [...exchanges].sort((x, y) => x - y)]);
  }

  #exchangeOf(lan: number): Exchange | null {
    return this.#exchanges.get(this.#lanExchanges.get(lan) ?? lan) ?? null;
  }
}
