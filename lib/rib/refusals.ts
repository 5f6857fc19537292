/** What routers say by another way than their tables that they have refused: as of a look, all of it at once. */
import { type Address, formatAddress } from "../ip/address.ts";
import { formatPrefix, type Prefix } from "../ip/prefix.ts";

export interface Refusal {
  readonly peer: Address;
  readonly prefix: Prefix;
  /** In words; null = the router does not say it. */
  readonly reason: string | null;
}

interface Look {
  /** When the router was asked: microseconds since 1970. */
  readonly atUs: number;
  readonly reasons: ReadonlyMap<string, string | null>;
}

/** Times of files of MRT are whole seconds: a path of this second may have changed after the look. */
const secondUs = 1_000_000;

export class Refusals {
  readonly #looks = new Map<string, Look>();

  /** All that the router has refused at that time; null = nobody knows it any more. */
  set(router: Address, look: { readonly atUs: number; readonly refused: readonly Refusal[] } | null): void {
    if (look === null) {
      this.#looks.delete(formatAddress(router));
      return;
    }
    const { atUs, refused } = look;
    const reasons = new Map(refused.map(({ peer, prefix, reason }) => [keyOf(peer, prefix), reason]));
    this.#looks.set(formatAddress(router), { atUs, reasons });
  }

  /** Whether there is a look at it that counts. */
  has(router: Address): boolean {
    return this.#looks.has(formatAddress(router));
  }

  /** Undefined = it was not refused, or has changed since the look. */
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
