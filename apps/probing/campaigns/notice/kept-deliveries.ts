/** Recipients in an edit as they are shown, without path and secret: each stands for the one that is stored. */
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { badBody } from "../probe-text.ts";
import { type DeliveryTarget, isShortened, placeOf } from "./alerts-definition.ts";

interface WithAlerts {
  readonly alerts?: { readonly deliveries: readonly DeliveryTarget[] } | undefined;
}

/** For a new campaign. Throws Problem 422. */
export function checkWhole({ alerts }: WithAlerts): void {
  for (const [i, target] of (alerts?.deliveries ?? []).entries()) {
    if (isKept(target)) {
      throw badBody(`alerts.deliveries.${i}.webhook`, "is shortened: give the whole address");
    }
  }
}

/** For an edit. Throws Problem 422 for one that is not stored. */
export async function withKept<Given extends WithAlerts>(
  { sql, timed }: Database,
  { id, userHash }: Owned,
  given: Given,
): Promise<Given> {
  const { alerts } = given;
  if (alerts === undefined || !alerts.deliveries.some(isKept)) {
    return given;
  }
  const [row] = await timed(
    "campaign_deliveries",
    () => sql<{ readonly deliveries: readonly DeliveryTarget[] }[]>`
      SELECT deliveries FROM campaigns JOIN campaign_revisions USING (campaign_id, revision)
      WHERE campaign_id = ${id} AND user_hash = ${userHash}`,
  );
  const left = [...(row?.deliveries ?? [])];
  const deliveries = alerts.deliveries.map((target, i) => {
    const at = isKept(target) ? left.findIndex((stored) => isShownAs(stored, target)) : null;
    if (at === -1) {
      throw badBody(
        `alerts.deliveries.${i}.webhook`,
        "is shortened, and not one of the campaign: give it whole",
      );
    }
    return at === null ? target : (left.splice(at, 1)[0] ?? target);
  });
  return { ...given, alerts: { ...alerts, deliveries } };
}

function isKept(target: DeliveryTarget): boolean {
  return "webhook" in target && target.secret === undefined && isShortened(target.webhook);
}

function isShownAs(stored: DeliveryTarget, shown: DeliveryTarget): boolean {
  return (
    "webhook" in stored &&
    "webhook" in shown &&
    placeOf(stored) === placeOf(shown) &&
    stored.format === shown.format &&
    stored.template === shown.template
  );
}
