/**
 * Routes that routers have refused, learnt by another way than their tables: one snapshot for each router.
 */
import { type Address, formatAddress } from "../ip/address.ts";
import { formatPrefix, type Prefix } from "../ip/prefix.ts";

export interface Refusal {
  readonly peer: Address;
  readonly prefix: Prefix;
  /** In words; null = the router gives none. */
  readonly reason: string | null;
}

interface Look {
  /** When the router was asked: microseconds since 1970. */
  readonly atUs: number;
  readonly reasons: ReadonlyMap<string, string | null>;
}

/** MRT times are whole seconds: a path of the same second may have changed after the snapshot. */
const secondUs = 1_000_000;

export class Refusals {
  readonly #looks = new Map<string, Look>();

  /** Sets the snapshot of a router: all that it refused at that time; null = no longer known. */
  set(router: Address, look: { readonly atUs: number; readonly refused: readonly Refusal[] } | null): void {
    if (look === null) {
      this.#looks.delete(formatAddress(router));
      return;
    }
    const { atUs, refused } = look;
    const reasons = new Map(refused.map(({ peer, prefix, reason }) => [keyOf(peer, prefix), reason]));
    this.#looks.set(formatAddress(router), { atUs, reasons });
  }

  /** Whether the router has a valid snapshot. */
  has(router: Address): boolean {
    return this.#looks.has(formatAddress(router));
  }

  /** Undefined = it was not refused, or has changed since the snapshot. */
  reasonOf(
    router: Address,
    { peer, prefix, changedUs }: Omit<Refusal, "reason"> & { readonly changedUs: number },
  ): string | null | undefined {
    const look = this.#looks.size === 0 ? undefined : this.#looks.get(formatAddress(router));
    return look === undefined || changedUs + secondUs > look.atUs
      ? undefined
      : look.reasons.get(keyOf(peer, prefix));
  }
}

function keyOf(peer: Address, prefix: Prefix): string {
  return `${formatAddress(peer)} ${formatPrefix(prefix)}`;
}
