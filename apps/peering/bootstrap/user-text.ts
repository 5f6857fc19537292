/** The user as configured, in words. Pure. */
import type { UserSettings } from "./user-environment.ts";

/** `none` stands for no prefix. */
export function userText({ asn, prefixes }: UserSettings, between: string, none: string): string {
  const number = asn === null ? "AS number of the gateway" : `AS${asn}`;
  return `${number}${between}${prefixes === null ? "all that is leased" : prefixes.join(", ") || none}`;
}
