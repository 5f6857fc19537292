/**
 * The two tiers of the tests: `npm test` runs the usual one, `npm run test:all` both. Each test says in its own file to
 * which it belongs: usual, unless the file's head comment has a line `@tier long: WHY`, or `isLongRun` guards the test.
 */
export type Tier = "usual" | "long";

const variable = "VANTAGE_TEST_TIER";
const mark = /^ ?\* ?@tier long: \S/m;
const aloneMark = /^ ?\* ?@alone: \S/m;

/** Is every test of the file with this text of the long tier? */
export function isOfLongTier(text: string): boolean {
  return mark.test(text.slice(0, text.indexOf("*/")));
}

/** Has the file with this text a process of its own, where files of its room share one? */
export function isAlone(text: string): boolean {
  return aloneMark.test(text.slice(0, text.indexOf("*/")));
}

/** For the environment of tests. */
export function tierEnvironment(tier: Tier): Record<string, string> {
  return { [variable]: tier };
}

/** True in the long tier only: what it guards does not exist in the usual one, so nothing counts it as skipped. */
export const isLongRun = process.env[variable] === "long";

/** How much of something: less in the usual tier, where it would take minutes. */
export function inTier<Of>(of: { readonly usual: Of; readonly long: Of }): Of {
  return isLongRun ? of.long : of.usual;
}
