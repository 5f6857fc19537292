/**
 * Keeps the announced prefix's lease until the experiment is over: renews it for the needed time, or repeatedly for the
 * longest time that the peering gateway permits.
 */
import { leaseRestSec } from "../../../../../lib/measuring/experiment/limits.ts";
import { leaseLookMs } from "../../limits.ts";
import type { ControlPlane } from "./planes.ts";

const hourMs = 3_600_000;

interface KeeperParts {
  readonly plane: Pick<ControlPlane, "lease" | "renewLease">;
  readonly prefix: string;
  /** When the plan is over, and the withdrawal has propagated. */
  readonly neededUntilMs: number;
  readonly nowMs: () => number;
  readonly renewed: (line: string) => void;
}

export class LeaseKeeper {
  readonly #parts: KeeperParts;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** From time to time, renews a lease that ends too soon. Rejects with GatewayError. */
  async keep(): Promise<void> {
    const { plane, prefix, neededUntilMs, nowMs, renewed } = this.#parts;
    if (nowMs() - this.#lookedMs < leaseLookMs) {
      return;
    }
    const lease = await plane.lease();
    this.#lookedMs = nowMs();
    if (lease === null) {
      return;
    }
    const { endMs, hoursMax, grantEndMs } = lease;
    // Late actions need it for longer than planned.
    const wantedMs = Math.max(neededUntilMs, nowMs() + 2 * 1000 * leaseRestSec);
    const grantedHours = Math.ceil((grantEndMs - nowMs()) / hourMs);
    const hours = Math.min(hoursMax, grantedHours, Math.ceil((wantedMs - nowMs()) / hourMs));
    if (endMs < wantedMs && isWorthIt(nowMs() + hours * hourMs - endMs, endMs - nowMs())) {
      renewed(`the lease of ${prefix} is renewed until ${await plane.renewLease(hours)}`);
    }
  }
}

/** Where the gateway permits less than is needed: renew only when half of it has passed, not at each check. */
function isWorthIt(gainMs: number, leftMs: number): boolean {
  return gainMs > 0 && (gainMs >= leftMs || leftMs < 2 * 1000 * leaseRestSec);
}
