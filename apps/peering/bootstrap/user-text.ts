/** The user as configured, in words. Pure. */
import type { UserSettings } from "./user-environment.ts";

export function userText({ asn, prefixes }: UserSettings): string {
  const number = asn === null ? "the AS number that the gateway states" : `AS${asn}`;
  const announced = prefixes === null ? "all leased prefixes" : prefixes.join(", ");
  return `${number} with ${announced || "no prefix (receive only)"}`;
}
