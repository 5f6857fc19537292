/**
 * The MACs of next hops on one interface.
 *
 * The kernel resolves neighbours; this triggers it, reads its table, and waits a limited time. A next hop that doesn't
 * reply fails its probes at once until the kernel has resolved it, so it does not delay others for long.
 */
import type { Clock } from "../../../../ffi/clock.ts";
import type { Link } from "../../../../ffi/netlink/link.ts";
import { askNeighbour, readNeighbour } from "../../../../ffi/netlink/neighbour.ts";
import { type Address, formatAddress } from "../../../../lib/net/ip/address.ts";

/** The kernel sends three solicitations in three seconds before the neighbour counts as failed. */
const gatewayWaitUs = 3.2e6;
const neighbourWaitUs = 0.5e6;
/** How long a silent next hop fails its probes without another check. */
const silentUs = 1e6;
const silentMax = 4096;
const pollUs = 1000;

export class Neighbours {
  readonly #link: Link;
  readonly #clock: Clock;
  readonly #silentUntilUs = new Map<string, number>();
  readonly #macs = new Map<string, Uint8Array>();

  constructor(link: Link, clock: Clock) {
    this.#link = link;
    this.#clock = clock;
  }

  /** The kernel's MAC at the last read; null = unresolved. */
  macOf(nextHop: Address): Uint8Array | null {
    return this.#macs.get(formatAddress(nextHop)) ?? null;
  }

  /** Reads the kernel's entry; false when it has none that can be used. */
  read(nextHop: Address): boolean {
    const neighbour = readNeighbour(this.#link.index, nextHop);
    if (neighbour.status === "known") {
      this.#macs.set(formatAddress(nextHop), neighbour.mac);
    }
    return neighbour.status === "known";
  }

  /** Drops a neighbour that is kept elsewhere. */
  forget(nextHop: Address): void {
    this.#macs.delete(formatAddress(nextHop));
  }

  /** Waits until the kernel has resolved a next hop; null when it has, else the reason. */
  resolve(nextHop: Address, isGateway: boolean): string | null {
    const name = formatAddress(nextHop);
    const silent = `next hop ${name} on ${this.#link.name} does not answer; is it up, and on this link?`;
    if ((this.#silentUntilUs.get(name) ?? 0) > this.#clock.monotonicUs()) {
      return silent;
    }
    if (!this.#wait(nextHop, isGateway ? gatewayWaitUs : neighbourWaitUs)) {
      this.#rememberSilent(name);
      return silent;
    }
    this.#silentUntilUs.delete(name);
    return null;
  }

  /** Triggers resolution before each read: a neighbour may have been forgotten, or have failed long ago. */
  #wait(nextHop: Address, limitUs: number): boolean {
    if (this.read(nextHop)) {
      return true;
    }
    askNeighbour(this.#link.index, nextHop);
    const untilUs = this.#clock.monotonicUs() + limitUs;
    while (this.#clock.monotonicUs() < untilUs) {
      this.#clock.sleepUs(pollUs);
      if (this.read(nextHop)) {
        return true;
      }
    }
    return false;
  }

  #rememberSilent(name: string): void {
    if (this.#silentUntilUs.size >= silentMax) {
      this.#silentUntilUs.clear();
    }
    this.#silentUntilUs.set(name, this.#clock.monotonicUs() + silentUs);
  }
}
