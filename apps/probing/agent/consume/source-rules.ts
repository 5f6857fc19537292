/**
 * Chooses the instance and the source address of a probe.
 *
 * With a source address: the first instance whose prefix holds it. Without one: for each family, the first instance
 * that has it, from an address that belongs to the operator, never to a user: user ids 0-999 are reserved, so user
 * 0's first host, which is the prefix's own address plus one.
 */
import { type Address, addressBytes, type Family, familyOf } from "../../../../lib/net/ip/address.ts";
import { type Prefix, prefixContains } from "../../../../lib/net/ip/prefix.ts";

export interface Source {
  /** Index of the instance. */
  readonly instance: number;
  readonly address: Address;
}

/** Sources of a record's probes; null = probes of this family cannot be sent. */
export interface Sources {
  readonly ipv4: Source | null;
  readonly ipv6: Source | null;
}

export class SourceRules {
  readonly #instances: readonly (readonly Prefix[])[];
  readonly #chosen: Sources;

  /** The prefixes of each instance, in the order of the configuration. */
  constructor(instances: readonly (readonly Prefix[])[]) {
    this.#instances = instances;
    this.#chosen = { ipv4: this.#first(4), ipv6: this.#first(6) };
  }

  /** Null when no prefix holds the address. */
  sourcesFor(requested: Address | null): Sources | null {
    if (requested === null) {
      return this.#chosen;
    }
    const instance = this.#instances.findIndex((prefixes) =>
      prefixes.some((prefix) => prefixContains(prefix, requested)),
    );
    if (instance < 0) {
      return null;
    }
    const source = { instance, address: requested };
    return familyOf(requested) === 4 ? { ipv4: source, ipv6: null } : { ipv4: null, ipv6: source };
  }

  #first(family: Family): Source | null {
    for (const [instance, prefixes] of this.#instances.entries()) {
      const prefix = prefixes.find((candidate) => candidate.family === family);
      if (prefix !== undefined) {
        return { instance, address: operatorAddress(prefix) };
      }
    }
    return null;
  }
}

/** The first host of a prefix; a prefix of one or two addresses (RFC 3021, RFC 6164) has its own address as a host. */
export function operatorAddress(prefix: Prefix): Address {
  const bits = prefix.family === 4 ? 32 : 128;
  const address = prefix.base.slice();
  if (bits - prefix.length >= 2) {
    address[addressBytes - 1] = (address[addressBytes - 1] ?? 0) | 1;
  }
  return address;
}
