/**
 * Asks at intervals which routes a router has refused, where the router reports by MRT, and gives them to the live
 * table. While one of the sources does not answer, the refused routes are not known.
 */
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import { type Address, formatAddress } from "../../../../lib/net/ip/address.ts";
import type { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import type { Refusal } from "../../../../lib/net/rib/refusals.ts";
import { refusedLookMs } from "../limits.ts";
import { untilStopped } from "../until-stopped.ts";

interface LookParts {
  readonly router: Address;
  readonly table: Pick<LiveTable, "refusals">;
  readonly nowUs: () => bigint;
  readonly log: Logger;
  /** What the later ones say counts before what the earlier ones do. */
  readonly asked: readonly (() => Promise<readonly Refusal[]>)[];
}

export class RefusedLook {
  readonly counts = { looks: 0, failures: 0 };
  readonly #parts: LookParts;
  #isFailing = false;

  constructor(parts: LookParts) {
    this.#parts = parts;
  }

  run(stop: AbortSignal): Promise<void> {
    return untilStopped(stop, refusedLookMs, () => this.look());
  }

  async look(): Promise<void> {
    const { router, table, nowUs, log, asked } = this.#parts;
    const atUs = Number(nowUs());
    this.counts.looks++;
    try {
      const refused: Refusal[] = [];
      for (const ask of asked) {
        refused.push(...(await ask()));
      }
      table.refusals.set(router, { atUs, refused });
      this.#isFailing = false;
    } catch (error) {
      this.counts.failures++;
      table.refusals.set(router, null);
      if (!this.#isFailing) {
        const reason = systemReason(error);
        log.warn("Cannot see what a router refuses", { router: formatAddress(router), reason });
      }
      this.#isFailing = true;
    }
  }
}
