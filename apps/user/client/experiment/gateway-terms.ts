/** The peering gateway's terms for an experiment's prefix: its lease, and the limits of changes by server. */
import * as v from "valibot";
import { announcementsAnswer } from "../../../../lib/base/api/announcements.ts";
import { infoAnswer } from "../../../../lib/base/api/leases.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { type SiteBudget, siteBudget } from "../../../../lib/measuring/experiment/exchange-budget.ts";
import type { ChangePace } from "../../../../lib/measuring/experiment/plan.ts";

const termsAnswer = v.pick(infoAnswer, ["active_leases", "max_duration_hours"]);

interface GatewayTerms {
  readonly pace: ChangePace;
  /** Seconds until it ends, and hours of a renewal. */
  readonly lease: { readonly leftSec: number; readonly hoursMax: number };
  /** By exchange server, without servers that no client stack has reported, or that have no limit. */
  readonly budgets: ReadonlyMap<string, SiteBudget>;
}

/** Rejects with CommandError where the user has no lease of the prefix, and with GatewayError. */
async function leaseOf(gateway: Gateway, prefix: string) {
  const { active_leases: leases, max_duration_hours: hoursMax } = await gateway.read(
    "/api/user/info",
    termsAnswer,
  );
  const lease = leases.find((one) => one.prefix === prefix);
  if (lease === undefined) {
    throw cannot(`you have no lease of ${prefix}: vantage peering prefix request 24`);
  }
  return { endMs: Date.parse(lease.end_time), hoursMax };
}

/** Rejects like `leaseOf`. */
export async function gatewayTerms(gateway: Gateway, prefix: string, nowMs: number): Promise<GatewayTerms> {
  const { endMs, hoursMax } = await leaseOf(gateway, prefix);
  const { budget, time_ms: gatewayMs = nowMs } = await gateway.read(
    "/api/announcements",
    announcementsAnswer,
  );
  const exchanges = budget.prefixes.find((one) => one.prefix === prefix)?.exchanges ?? [];
  return {
    pace: { spacingSec: 60 * budget.prefix_minutes, perHourMax: budget.per_hour_max },
    lease: { leftSec: Math.floor((endMs - nowMs) / 1000), hoursMax },
    budgets: new Map(
      exchanges.map(({ server, changes_max: max, ...told }) => [
        server,
        siteBudget({ max, ...told }, gatewayMs),
      ]),
    ),
  };
}
