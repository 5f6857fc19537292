/** Versions of BIRD, as `bird --version` and people write them: `2.0.12`, `2.19`, `3.3.2`. Pure. */

type BirdVersion = readonly [major: number, minor: number, patch: number];

/** Null on anything else. */
export function birdVersionOf(text: string): BirdVersion | null {
  const [, major, minor, patch = "0"] = /^(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}))?(?:[+~-].*)?$/.exec(text) ?? [];
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)];
}

function isAtLeast(version: BirdVersion, least: BirdVersion): boolean {
  const at = version.findIndex((part, index) => part !== least[index]);
  return at < 0 || (version[at] ?? 0) > (least[at] ?? 0);
}

/** Whether this version can delete attributes that BIRD has no name for from a route. */
export function clearsUnknownAttributes(version: BirdVersion): boolean {
  return isAtLeast(version, [2, 14, 0]);
}

/** Whether the known vulnerabilities are fixed: 2.19 of the second line, 3.3.2 of the third. */
export function isUpToDate(version: BirdVersion): boolean {
  return isAtLeast(version, version[0] < 3 ? [2, 19, 0] : [3, 3, 2]);
}

/** Attribute types that some version of BIRD knows; defining a custom name for one of these is an error. */
const known = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 15, 16, 17, 18, 22, 26, 32, 35, 254];

/** Types that no BIRD up to 2.19 and 3.3 has a name for. */
export const unknownTypes: readonly number[] = Array.from({ length: 255 }, (_, n) => n + 1).filter(
  (type) => !known.includes(type),
);
