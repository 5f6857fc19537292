/**
 * Routes refused by routers, obtained by other means than their tables: one snapshot for each router.
 */
import { type Address, formatAddress } from "../ip/address.ts";
import { formatPrefix, type Prefix } from "../ip/prefix.ts";

export interface Refusal {
  readonly peer: Address;
  readonly prefix: Prefix;
  /** In words; null = the router reports none. */
  readonly reason: string | null;
}

interface Snapshot {
  /** When the router was queried: microseconds since 1970. */
  readonly atUs: number;
  readonly reasons: ReadonlyMap<string, string | null>;
}

/** MRT times are whole seconds: a path of the same second may have changed after the snapshot. */
const secondUs = 1_000_000;

export class Refusals {
  readonly #snapshots = new Map<string, Snapshot>();

  /** Sets the snapshot of a router: all that it refused at that time; null = no longer known. */
  set(
    router: Address,
    snapshot: { readonly atUs: number; readonly refused: readonly Refusal[] } | null,
  ): void {
    if (snapshot === null) {
      this.#snapshots.delete(formatAddress(router));
      return;
    }
    const { atUs, refused } = snapshot;
    const reasons = new Map(refused.map(({ peer, prefix, reason }) => [keyOf(peer, prefix), reason]));
    this.#snapshots.set(formatAddress(router), { atUs, reasons });
  }

  /** Whether the router has a valid snapshot. */
  has(router: Address): boolean {
    return this.#snapshots.has(formatAddress(router));
  }

  /** Undefined = it was not refused, or has changed since the snapshot. */
  reasonOf(
    router: Address,
    { peer, prefix, changedUs }: Omit<Refusal, "reason"> & { readonly changedUs: number },
  ): string | null | undefined {
    const snapshot = this.#snapshots.size === 0 ? undefined : this.#snapshots.get(formatAddress(router));
    return snapshot === undefined || changedUs + secondUs > snapshot.atUs
      ? undefined
      : snapshot.reasons.get(keyOf(peer, prefix));
  }
}

function keyOf(peer: Address, prefix: Prefix): string {
  return `${formatAddress(peer)} ${formatPrefix(prefix)}`;
}
