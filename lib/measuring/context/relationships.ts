/**
 * Who pays whom: providers, customers and peers among ASes.
 *
 * Sections of the file: `providers` and `customers`, one pair a place, by provider, then customer; `peers`, two AS
 * numbers a pair, the lower first, in order. ASes are siblings nowhere: CAIDA's serial-1 does not say.
 */
import { firstNotBelow } from "./first-not-below.ts";
import type { Sections } from "./section-file.ts";

/** The role of the second AS towards the first. */
export type Relationship = "customer" | "provider" | "peer";

export class Relationships {
  readonly #providers: Uint32Array;
  readonly #customers: Uint32Array;
  readonly #peers: Uint32Array;
  /** Cache of customer cone sizes. */
  readonly #cones = new Map<number, number>();

  constructor(sections: Sections) {
    this.#providers = sections.u32("providers");
    this.#customers = sections.u32("customers");
    this.#peers = sections.u32("peers");
  }

  /** The relationship of `other` to `asn`; null = not in the data. */
  between(asn: number, other: number): Relationship | null {
    if (this.#sells(asn, other)) {
      return "customer";
    }
    if (this.#sells(other, asn)) {
      return "provider";
    }
    return this.#isPeer(Math.min(asn, other), Math.max(asn, other)) ? "peer" : null;
  }

  /** Number of ASes that are reached by going from provider to customer only, the AS itself included. */
  coneOf(asn: number): number {
    const known = this.#cones.get(asn);
    if (known !== undefined) {
      return known;
    }
    const cone = new Set([asn]);
    // A set is walked in the order of insertion, with what is added on the way.
    for (const member of cone) {
      for (let i = this.#firstOf(member); this.#providers[i] === member; i++) {
        cone.add(this.#customers[i] ?? member);
      }
    }
    this.#cones.set(asn, cone.size);
    return cone.size;
  }

  #sells(provider: number, customer: number): boolean {
    const at = firstNotBelow(this.#providers.length, (i) => {
      return (this.#providers[i] ?? 0) - provider || (this.#customers[i] ?? 0) - customer;
    });
    return this.#providers[at] === provider && this.#customers[at] === customer;
  }

  #isPeer(low: number, high: number): boolean {
    const at = firstNotBelow(this.#peers.length / 2, (i) => {
      return (this.#peers[2 * i] ?? 0) - low || (this.#peers[2 * i + 1] ?? 0) - high;
    });
    return this.#peers[2 * at] === low && this.#peers[2 * at + 1] === high;
  }

  #firstOf(provider: number): number {
    return firstNotBelow(this.#providers.length, (i) => (this.#providers[i] ?? 0) - provider);
  }
}

export class RelationshipsBuilder {
  readonly #sold = new Map<string, readonly [provider: number, customer: number]>();
  readonly #peers = new Map<string, readonly [low: number, high: number]>();

  get count(): number {
    return this.#sold.size + this.#peers.size;
  }

  addCustomer(provider: number, customer: number): void {
    this.#sold.set(`${provider},${customer}`, [provider, customer]);
  }

  addPeers(one: number, other: number): void {
    const pair = [Math.min(one, other), Math.max(one, other)] as const;
    this.#peers.set(pair.join(), pair);
  }

  sections(): Readonly<Record<string, Uint32Array>> {
    const sold = inOrder(this.#sold.values());
    return {
      providers: Uint32Array.from(sold, ([provider]) => provider),
      customers: Uint32Array.from(sold, ([, customer]) => customer),
      peers: Uint32Array.from(inOrder(this.#peers.values()).flat()),
    };
  }
}

function inOrder(pairs: Iterable<readonly [number, number]>): (readonly [number, number])[] {
  return [...pairs].sort((x, y) => x[0] - y[0] || x[1] - y[1]);
}
