/**
 * Keeps the lease of the announced prefix until the experiment is over: it is renewed for as long as is needed, and for
 * as long as the peering gateway gives at a time, again and again.
 */
import { infoAnswer } from "../../../lib/api/leases.ts";
import { cannot } from "../../../lib/command/command-error.ts";
import { leaseRestSec } from "../../../lib/experiment/limits.ts";
import type { Gateway } from "../../../lib/gateway-client/gateway.ts";
import { pause } from "../../../lib/gateway-client/pause.ts";
import { leaseLookMs } from "../limits.ts";
import { grantedSchema } from "../peering/answers.ts";
import { jsonHeaders, leasePath } from "../peering/lease-arguments.ts";

const hourMs = 3_600_000;

interface KeeperParts {
  readonly gateway: Gateway;
  readonly prefix: string;
  /** When the plan is over, and the last networks have heard of the withdrawal. */
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
    const { active_leases: leases, max_duration_hours: hoursMax } = await gateway.read(
      "/api/user/info",
      infoAnswer,
    );
    const lease = leases.find((one) => one.prefix === prefix);
    if (lease === undefined) {
      throw cannot(`you have no lease of ${prefix}: vantage peering prefix request 24`);
    }
    const endMs = Date.parse(lease.end_time);
    // What comes late needs it for longer than the plan says.
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

  /** Until the signal; hears of trouble once of each kind. */
  async keepOn(signal: AbortSignal): Promise<void> {
    let trouble = "";
    for (await pause(leaseLookMs, signal); !signal.aborted; await pause(leaseLookMs, signal)) {
      try {
        await this.keep();
        trouble = "";
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (reason !== trouble) {
          trouble = reason;
          this.#parts.say(`cannot renew the lease now, trying again: ${reason}`);
        }
      }
    }
  }
}

/** Not for minutes at each look, where the gateway gives less than is needed: half of it must be gone. */
function isWorthIt(gainMs: number, leftMs: number): boolean {
  return gainMs > 0 && (gainMs >= leftMs || leftMs < 2 * 1000 * leaseRestSec);
}
