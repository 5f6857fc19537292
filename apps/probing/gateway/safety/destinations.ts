/** Allowed destinations, from the operator's lists, the admins' blocks and the special-purpose registries. */
import { createHash } from "node:crypto";
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import { inTurns } from "../../../../lib/engines/http/pace.ts";
import type { BlocklistAnswer } from "../../../../lib/measuring/probing/agent-report.ts";
import { type AllowedRanges, ForbiddenRanges } from "../../../../lib/measuring/probing/forbidden-ranges.ts";
import { ledTo } from "../../../../lib/measuring/probing/led-to.ts";
import { PrefixSet } from "../../../../lib/measuring/probing/prefix-set.ts";
import { reservedRanges } from "../../../../lib/measuring/probing/reserved-ranges.ts";
import { type Address, formatAddress } from "../../../../lib/net/ip/address.ts";
import { formatPrefix, type Prefix } from "../../../../lib/net/ip/prefix.ts";

interface DestinationRules {
  readonly blockReservedRanges: boolean;
  readonly blocked: readonly Prefix[];
  /** Null = everywhere else. */
  readonly allowed: readonly Prefix[] | null;
}

/** Immutable: one set of rules applies to a submission from its first probe to its last. */
export class Destinations {
  /** Equal rules have equal versions, at every gateway. */
  readonly version: string;
  readonly #reserved: PrefixSet;
  readonly #blocked: PrefixSet;
  readonly #allowed: PrefixSet | null;
  #answer: BlocklistAnswer | null = null;
  #ranges: Promise<AllowedRanges> | null = null;

  constructor({ blockReservedRanges, blocked, allowed }: DestinationRules) {
    this.#reserved = new PrefixSet(blockReservedRanges ? reservedRanges.map(({ prefix }) => prefix) : []);
    this.#blocked = new PrefixSet(blocked);
    this.#allowed = allowed && new PrefixSet(allowed);
    this.version = versionOf(this.#reserved, this.#blocked, this.#allowed);
  }

  /** Prefixes of the operator and the admins. */
  get size(): number {
    return this.#blocked.size;
  }

  /** Why a destination is refused; null = it is allowed. Allocates only for a refusal, and for tunnels. */
  refusal(destination: Address): string | null {
    const found = ledTo(destination, (address) => this.#listed(address));
    if (found !== null) {
      const { at, reason } = found;
      return at === destination ? reason : `it leads to ${formatAddress(at)}, and ${reason}`;
    }
    return this.#allowed === null || this.#allowed.match(destination) !== null
      ? null
      : "it is not among the destinations that this gateway allows";
  }

  /** Where ranges of addresses may be probed. Built once. */
  ranges(): Promise<AllowedRanges> {
    this.#ranges ??= this.#madeRanges();
    return this.#ranges;
  }

  async #madeRanges(): Promise<AllowedRanges> {
    const lists = { listed: [this.#reserved, this.#blocked], allowed: this.#allowed };
    const forbidden = await inTurns(ForbiddenRanges.of(lists), new LoopYield());
    return { forbidden, reasonIn: (first, last) => this.#reasonIn(first, last) };
  }

  #reasonIn(first: Address, last: Address): string {
    const refused = this.refusal(first) ?? this.refusal(last);
    if (refused !== null) {
      return refused;
    }
    const inside = this.#reserved.firstBetween(first, last) ?? this.#blocked.firstBetween(first, last);
    return inside === null
      ? "only parts of it are among the destinations that this gateway allows"
      : `it holds ${formatPrefix(inside)}, which must not be probed`;
  }

  #listed(destination: Address): string | null {
    const reserved = this.#reserved.match(destination);
    if (reserved !== null) {
      return (
        `it lies in ${formatPrefix(reserved)} (${reasonOf(reserved)}), ` +
        "which this gateway allows only with safety.block_reserved_ranges: false"
      );
    }
    const blocked = this.#blocked.match(destination);
    return blocked === null ? null : `it lies in ${formatPrefix(blocked)}, which must not be probed`;
  }

  /** For agents. Built once. */
  get answer(): BlocklistAnswer {
    this.#answer ??= {
      version: this.version,
      blocked: [...this.#reserved, ...this.#blocked].map(formatPrefix),
      allowed: this.#allowed && [...this.#allowed].map(formatPrefix),
    };
    return this.#answer;
  }
}

function reasonOf(reserved: Prefix): string {
  return (
    reservedRanges.find(({ prefix }) => formatPrefix(prefix) === formatPrefix(reserved))?.reason ?? "reserved"
  );
}

function versionOf(...sets: readonly (PrefixSet | null)[]): string {
  const hash = createHash("sha256");
  for (const set of sets) {
    hash.update(set === null ? "everything " : `${set.size} prefixes `);
    for (const { base, length } of set ?? []) {
      hash.update(base).update(Uint8Array.of(length));
    }
  }
  return hash.digest("base64url").slice(0, 16);
}
