/**
 * RPKI caches in the order of preference, all of which are polled. The first connected one with complete data
 * is used; without any, the latest data until it expires.
 */
import type { ListenAddress } from "../../../../lib/engines/config/addresses.ts";
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import type { VrpTable } from "../../../../lib/net/rpki/vrp-table.ts";
import { RtrCache } from "./rtr-cache.ts";
import type { VrpSource } from "./vrp-source.ts";

interface CachesParts {
  readonly addresses: readonly ListenAddress[];
  readonly log: Logger;
  /** Milliseconds of a monotonic clock. */
  readonly clockMs: () => number;
}

export class RtrCaches implements VrpSource {
  readonly caches: readonly RtrCache[];
  readonly passedOver = 0;
  readonly #log: Logger;
  #usedBefore: RtrCache | null = null;

  constructor({ addresses, log, clockMs }: CachesParts) {
    this.#log = log;
    const changed = () => this.#noteUsed();
    this.caches = addresses.map((address) => new RtrCache({ address, log, clockMs, changed }));
  }

  get used(): RtrCache | null {
    const known = this.caches.filter(({ table }) => table !== null);
    const last = known.toSorted((one, other) => (other.readAtMs ?? 0) - (one.readAtMs ?? 0)).at(0);
    return known.find(({ state }) => state === "current") ?? last ?? null;
  }

  get table(): VrpTable | null {
    return this.used?.table ?? null;
  }

  get readAtMs(): number | null {
    return this.used?.readAtMs ?? null;
  }

  get counts(): VrpSource["counts"] {
    return { failures: this.caches.reduce((sum, { counts }) => sum + counts.failures, 0) };
  }

  async run(stop: AbortSignal): Promise<void> {
    await Promise.all(this.caches.map((one) => one.run(stop)));
  }

  #noteUsed(): void {
    const { used } = this;
    if (used !== this.#usedBefore) {
      this.#usedBefore = used;
      this.#log.info("VRPs of another cache are used", { cache: used?.name ?? null });
    }
  }
}
