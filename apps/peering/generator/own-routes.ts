/**
 * Keeps the VPN delivering what this exchange server's own device offers. Headscale 0.28 takes a device for offline
 * that connects anew between 9 and 10 s after its connection was lost, and withdraws its routes until they are set
 * again or the device connects once more: users then have sessions, and no packets.
 */
import { networkInterfaces } from "node:os";
import type { Generator } from "./generator.ts";
import type { Approve } from "./sources/vpn.ts";

export class OwnRoutes {
  readonly #generator: Generator;
  readonly #approve: Approve;
  readonly #ownAddresses: () => readonly string[];

  constructor(
    generator: Generator,
    approve: Approve,
    ownAddresses: () => readonly string[] = machineAddresses,
  ) {
    this.#generator = generator;
    this.#approve = approve;
    this.#ownAddresses = ownAddresses;
  }

  /**
   * Sets routes again that no device serves. Only those of this machine's device: another one may really be offline,
   * and routes through a dead device are worse than none.
   */
  async restore(): Promise<void> {
    const { unserved, parts } = this.#generator;
    const own = this.#ownAddresses();
    for (const { nodeId, addresses, approvedRoutes: routes } of unserved) {
      if (addresses.some((address) => own.includes(address))) {
        try {
          await this.#approve(nodeId, routes);
          parts.metrics.restoredRoutes();
          parts.log.warn("The VPN had withdrawn this server's routes; they are set again", { routes });
        } catch (error) {
          parts.metrics.failure("approval");
          parts.log.error("Cannot set this server's routes again, which the VPN has withdrawn", {
            routes,
            error,
          });
        }
      }
    }
  }
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}
