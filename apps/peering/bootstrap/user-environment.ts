/**
 * The user's variables: `USER_ASN`, and `USER_PREFIXES` (nothing, a /48, or several with commas; `none` to receive
 * only).
 *
 * An empty variable is as one that is not set. With USER_ASN alone nothing is announced; without both, the gateway
 * states both. Everything is checked before anything starts, and every mistake is reported at once.
 */
import { ConfigError, type ConfigProblem } from "../../../lib/engines/config/config-error.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import { quoted } from "../../../lib/engines/config/quoted.ts";
import { formatPrefix, type Prefix, parsePrefix, prefixContains } from "../../../lib/net/ip/prefix.ts";
import { parseLeasePrefix } from "../../../lib/peering/lease/lease-prefix.ts";
import { prefixesMax, prefixesTextMax } from "./limits.ts";

export interface UserSettings {
  /** Null = as the gateway states it. */
  readonly asn: number | null;
  /** In the spelling of RFC 5952, sorted; empty = receive only; null = all that the gateway has leased to the user. */
  readonly prefixes: readonly string[] | null;
}

export const missingAsn: ConfigProblem = {
  place: "environment USER_ASN",
  key: "",
  reason: "is missing: set it to the ASN that the gateway gave you, as USER_ASN=65001",
};

const asnMax = 4_294_967_294;
/** What can be leased is in the range of global addresses; the tunnel's own is not. */
const globalUnicast = parsePrefix("2000::/3");

/** Throws ConfigError with every problem. */
export function readUser(environment: Environment): UserSettings {
  const { USER_ASN: asnText = "", USER_PREFIXES: prefixesText = "" } = environment;
  const problems: ConfigProblem[] = [];
  const fail = (name: string, reason: string) =>
    problems.push({ place: `environment ${name}`, key: "", reason });
  const asnGiven = asnText.trim();
  const asn = asnOf(asnGiven);
  if (asn === null && asnGiven !== "") {
    fail("USER_ASN", `${quoted(asnGiven)} is not an ASN: give a number from 1 to ${asnMax}, without "AS"`);
  }
  const isFromGateway = asnGiven === "" && prefixesText.trim() === "";
  const prefixes = isFromGateway ? null : prefixesOf(prefixesText, (reason) => fail("USER_PREFIXES", reason));
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  return { asn, prefixes };
}

function asnOf(text: string): number | null {
  const asn = Number(text);
  return /^[1-9]\d{0,9}$/.test(text) && asn <= asnMax ? asn : null;
}

function prefixesOf(text: string, fail: (reason: string) => void): string[] {
  if (["", "none"].includes(text.trim())) {
    return [];
  }
  if (text.length > prefixesTextMax) {
    fail(`is longer than ${prefixesTextMax} characters`);
    return [];
  }
  const parts = text.split(",").map((part) => part.trim());
  if (parts.length > prefixesMax) {
    fail(`has ${parts.length} prefixes: give at most ${prefixesMax}`);
  }
  const good = new Set<string>();
  for (const part of parts) {
    const reason = prefixReason(part, good);
    if (reason === null) {
      good.add(part);
    } else {
      fail(`${quoted(part)} ${reason}`);
    }
  }
  return [...good].sort();
}

/** Null when it is a good one. */
function prefixReason(text: string, before: ReadonlySet<string>): string | null {
  if (text === "") {
    return "is empty: remove the extra comma";
  }
  const prefix = parsePrefix(text);
  if (prefix === null) {
    return "is not a prefix without host bits: write it as 2001:db8:1::/48";
  }
  if (parseLeasePrefix(text) === null) {
    return "is not an IPv6 /48: give exactly what is leased";
  }
  if (formatPrefix(prefix) !== text) {
    return `is not spelled as it should be: write ${formatPrefix(prefix)}`;
  }
  if (!isGlobal(prefix)) {
    return "is outside 2000::/3: nothing there can be leased";
  }
  return before.has(text) ? "is there twice: leave one out" : null;
}

function isGlobal(prefix: Prefix): boolean {
  return globalUnicast !== null && prefixContains(globalUnicast, prefix.base);
}
