/** Checks whether this gateway can deliver a definition's alerts. */
import type { NoticeServices } from "../campaign-services.ts";
import { badBody } from "../probe-text.ts";
import type { Alerts } from "./alerts-definition.ts";

/** Throws Problem 422. */
export function checkAlerts(
  alerts: Alerts | undefined,
  { results, delivery }: Pick<NoticeServices, "results" | "delivery">,
): void {
  if (alerts === undefined) {
    return;
  }
  if (!results.hasStore) {
    throw badBody("alerts", "need a column store, and this gateway has none");
  }
  for (const [i, target] of alerts.deliveries.entries()) {
    const path = `alerts.deliveries.${i}`;
    if ("email" in target) {
      const domain = target.email.split("@")[1]?.toLowerCase() ?? "";
      if (delivery.smtp === null || !delivery.emailDomains.includes(domain)) {
        const may =
          delivery.smtp === null ? "no e-mail" : `e-mail only to ${delivery.emailDomains.join(", ")}`;
        throw badBody(path, `cannot be used: this gateway sends ${may}`);
      }
    } else if (!isSafe(new URL(target.webhook), delivery.allowedHosts)) {
      const { host } = new URL(target.webhook);
      const reason = `must be an https:// address; for ${host} by http:// the operator adds it to alerts.allowed_hosts`;
      throw badBody(path, reason);
    }
  }
}

function isSafe(url: URL, allowedHosts: readonly string[]): boolean {
  return url.protocol === "https:" || allowedHosts.includes(url.hostname.toLowerCase());
}
