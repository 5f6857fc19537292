/**
 * The exchange servers that are joined, over time: new ones at once, gone ones only after a while. So a VPN that
 * restarts, and for a moment has no devices, ends no session.
 */
import { absenceMsMax, exchangesMax } from "../limits.ts";
import type { ExchangeServer } from "./discover.ts";

export class KnownExchanges {
  /** By address. */
  readonly #seen = new Map<string, { server: ExchangeServer; atMs: number }>();

  /** What to be joined with, after the VPN's list of `nowMs` (any clock that does not go back). */
  learn(listed: readonly ExchangeServer[], nowMs: number): ExchangeServer[] {
    for (const server of listed) {
      this.#seen.set(server.address, { server, atMs: nowMs });
    }
    for (const [address, { server, atMs }] of this.#seen) {
      if (nowMs - atMs > absenceMsMax) {
        this.#seen.delete(address);
      } else if (atMs < nowMs) {
        this.#seen.set(address, { server: { ...server, isOnline: false }, atMs });
      }
    }
    return this.list();
  }

  /** By address; those that the VPN lists come before absent ones when there are too many. */
  list(): ExchangeServer[] {
    const latest = [...this.#seen.values()].sort((a, b) => b.atMs - a.atMs).slice(0, exchangesMax);
    return latest
      .map(({ server }) => server)
      .sort((a, b) => a.address.localeCompare(b.address, "en", { numeric: true }));
  }
}
