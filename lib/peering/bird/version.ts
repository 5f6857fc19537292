/** Versions of BIRD, as `bird --version` and people write them: `2.0.12`, `2.19`, `3.3.2`. Pure. */

export type BirdVersion = readonly [major: number, minor: number, patch: number];

/** Null on anything else. */
export function birdVersionOf(text: string): BirdVersion | null {
  const [, major, minor, patch = "0"] = /^(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?(?:[+~-].*)?$/.exec(text) ?? [];
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)];
}

function isAtLeast(version: BirdVersion, least: BirdVersion): boolean {
  const at = version.findIndex((part, index) => part !== least[index]);
  return at < 0 || (version[at] ?? 0) > (least[at] ?? 0);
}

/**
 * How a filter can treat attributes without a name in BIRD: not at all, as they are invisible to it; remove them; or
 * refuse the route, as BIRD 3 shows them to filters, but read-only.
 */
type UnknownAttributes = "pass" | "clear" | "refuse";

export function unknownAttributesOf(version: BirdVersion): UnknownAttributes {
  if (version[0] >= 3) {
    return "refuse";
  }
  return isAtLeast(version, [2, 14, 0]) ? "clear" : "pass";
}

/** Whether BIRD has a name for the PMSI tunnel attribute (RFC 6514), which older versions lack. */
export function namesPmsiTunnel(version: BirdVersion): boolean {
  return isAtLeast(version, version[0] < 3 ? [2, 19, 0] : [3, 3, 0]);
}

/** Whether it checks paths by ASPA: since 2.16 and 3.1. */
export function knowsAspa(version: BirdVersion): boolean {
  return isAtLeast(version, version[0] < 3 ? [2, 16, 0] : [3, 1, 0]);
}

/** Whether the known vulnerabilities are fixed: since 2.19 and 3.3.2. */
export function isUpToDate(version: BirdVersion): boolean {
  return isAtLeast(version, version[0] < 3 ? [2, 19, 0] : [3, 3, 2]);
}

/**
 * Whether an exchange server may run it. BIRD 3, up to 3.4.0, aborts on an assertion when next hops are lost, and
 * sometimes leaves a session in OpenSent for minutes (docs/operate/exchange.md).
 */
export function isSupported(version: BirdVersion): boolean {
  return version[0] < 3;
}

/**
 * Attribute types built into some BIRD up to 2.20 and 3.4; defining another name for one of these is an error. 22, the
 * PMSI tunnel, is included for all, so that a configuration survives the upgrade to 2.19 or 3.3. BIRD 2 uses 254
 * itself.
 */
const known = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 22, 26, 32, 35];
const internalOfSecondLine = 254;

/** Types without a name in this BIRD that its filters can name; none where filters cannot see them. */
export function unknownTypesOf(version: BirdVersion): number[] {
  const can = unknownAttributesOf(version);
  const taken = can === "clear" ? [...known, internalOfSecondLine] : known;
  const types = Array.from({ length: 255 }, (_, n) => n + 1).filter((type) => !taken.includes(type));
  return can === "pass" ? [] : types;
}
