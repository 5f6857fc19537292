/**
 * Keeps the announced prefix's lease until the experiment is over: renews it for the needed time, or repeatedly for the
 * longest time that the peering gateway permits.
 */
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";
import { leaseRestSec } from "../../../../lib/measuring/experiment/limits.ts";
import { leaseLookMs } from "../limits.ts";
import { grantedSchema } from "../peering/answers.ts";
import { jsonHeaders, leasePath } from "../peering/lease-arguments.ts";
import { leaseOf } from "./gateway-terms.ts";
import { Trouble } from "./trouble.ts";

const hourMs = 3_600_000;

interface KeeperParts {
  readonly gateway: Gateway;
  readonly prefix: string;
  /** When the plan is over, and the withdrawal has propagated. */
  readonly neededUntilMs: number;
  readonly nowMs: () => number;
  readonly say: (line: string) => void;
}

export class LeaseKeeper {
  readonly #parts: KeeperParts;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /** Renews the lease if it ends too soon. Rejects with CommandError when it has ended, and with GatewayError. */
  async keep(): Promise<void> {
    const { gateway, prefix, neededUntilMs, nowMs, say } = this.#parts;
    const { endMs, hoursMax } = await leaseOf(gateway, prefix);
    // Late actions need it for longer than planned.
    const wantedMs = Math.max(neededUntilMs, nowMs() + 2 * 1000 * leaseRestSec);
    const hours = Math.min(hoursMax, Math.ceil((wantedMs - nowMs()) / hourMs));
    if (endMs >= wantedMs || !isWorthIt(nowMs() + hours * hourMs - endMs, endMs - nowMs())) {
      return;
    }
    const granted = await gateway.read(`${leasePath(prefix)}/renew`, grantedSchema, {
      method: "POST",
      repeatable: true,
      headers: jsonHeaders,
      body: JSON.stringify({ duration_hours: hours }),
    });
    say(`the lease of ${prefix} is renewed until ${granted.end_time}`);
  }

  /** Until the signal. */
  async keepOn(signal: AbortSignal): Promise<void> {
    const trouble = new Trouble("cannot renew the lease now, trying again", this.#parts.say);
    for (await pause(leaseLookMs, signal); !signal.aborted; await pause(leaseLookMs, signal)) {
      await trouble.of(() => this.keep());
    }
  }
}

/** Where the gateway permits less than is needed: renew only when half of it has passed, not at each check. */
function isWorthIt(gainMs: number, leftMs: number): boolean {
  return gainMs > 0 && (gainMs >= leftMs || leftMs < 2 * 1000 * leaseRestSec);
}
