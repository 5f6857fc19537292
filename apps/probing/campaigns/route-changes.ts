/**
 * Which routes towards targets have changed: for each target, the AS paths of the longest prefix that covers it, by who
 * reports them. A change that is undone before the next read is none.
 */
import { counted } from "../../../lib/base/terminal/figures.ts";
import { parseAddress } from "../../../lib/net/ip/address.ts";
import { type Prefix, parsePrefix, prefixContains } from "../../../lib/net/ip/prefix.ts";

export interface RouteUpdate {
  readonly prefix: string;
  /** Router, peer and table. */
  readonly reporter: string;
  readonly atNs: bigint;
  /** AS numbers with blanks between them; null = withdrawn. */
  readonly path: string | null;
}

/** Prefix -> reporter -> path and time (ns as text); plain values: stored as JSON. */
export type RoutePaths = Readonly<
  Record<string, Readonly<Record<string, readonly [path: string | null, atNs: string]>>>
>;

export interface RouteChange {
  /** The longest one now, or the one that was withdrawn. */
  readonly prefix: string;
  /** Sorted. */
  readonly destinations: readonly string[];
  readonly reporters: number;
  /** A sentence without a full stop, for people. */
  readonly text: string;
}

/** The paths after updates, in any order: older ones than those known change nothing. */
export function afterUpdates(before: RoutePaths, updates: readonly RouteUpdate[]): RoutePaths {
  const after: Record<string, Record<string, readonly [string | null, string]>> = {};
  for (const [prefix, paths] of Object.entries(before)) {
    after[prefix] = { ...paths };
  }
  for (const { prefix, reporter, atNs, path } of updates) {
    const paths = after[prefix] ?? {};
    const known = paths[reporter];
    if (known === undefined || BigInt(known[1]) <= atNs) {
      paths[reporter] = [path, String(atNs)];
    }
    after[prefix] = paths;
  }
  return after;
}

interface Known {
  readonly text: string;
  readonly prefix: Prefix;
}

/** Sorted by prefix; texts that are not a prefix or an address are left out. */
export function routeChanges(
  before: RoutePaths,
  after: RoutePaths,
  destinations: readonly string[],
): RouteChange[] {
  const known = Object.keys(after)
    .map((text) => ({ text, prefix: parsePrefix(text) }))
    .filter((one): one is Known => one.prefix !== null)
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const touched = known.filter(({ text }) => changedAt(before, after, text).length > 0);
  const found = new Map<string, { readonly text: string; readonly count: number; readonly own: string[] }>();
  for (const destination of destinations.toSorted()) {
    const at = parseAddress(destination);
    const isTouched = at !== null && touched.some(({ prefix }) => prefixContains(prefix, at));
    const covering = isTouched ? known.filter(({ prefix }) => prefixContains(prefix, at)) : [];
    const change = changeOf(before, after, covering);
    if (change !== null) {
      const own = found.get(change.prefix)?.own ?? [];
      own.push(destination);
      found.set(change.prefix, { ...change, own });
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([prefix, { text, count, own }]) => ({ prefix, destinations: own, reporters: count, text }));
}

/** The change for one target; prefixes that cover it, the longest first. */
function changeOf(before: RoutePaths, after: RoutePaths, covering: readonly Known[]) {
  const old = covering.find(({ text }) => hasPath(before[text]))?.text;
  const now = covering.find(({ text }) => hasPath(after[text]))?.text;
  const prefix = now ?? old;
  if (prefix === undefined) {
    return null;
  }
  const changed = changedAt(before, after, prefix);
  const [first] = changed;
  if (first === undefined) {
    // A longer prefix was withdrawn, and this one covers its targets again.
    return old === undefined || old === now ? null : { prefix: old, ...gone(before, after, old, now) };
  }
  if (now === undefined) {
    return { prefix, ...gone(before, after, prefix, now) };
  }
  const [was, is] = [before[prefix]?.[first]?.[0] ?? "no route", after[prefix]?.[first]?.[0] ?? "withdrawn"];
  const instead = old === undefined || old === now ? "" : `, instead of ${old}`;
  return {
    prefix,
    count: changed.length,
    text: `${prefix}: ${was || "(empty)"} → ${is || "(empty)"}${instead}, ${from(first, changed.length - 1)}`,
  };
}

function gone(before: RoutePaths, after: RoutePaths, prefix: string, now: string | undefined) {
  const changed = changedAt(before, after, prefix);
  const [first = ""] = changed;
  const rest = now === undefined ? "" : `, ${now} covers it`;
  const was = before[prefix]?.[first]?.[0] ?? "";
  return {
    count: changed.length,
    text: `${prefix}: ${was || "(empty)"} → withdrawn${rest}, ${from(first, changed.length - 1)}`,
  };
}

function from(reporter: string, others: number): string {
  const [router = "", peer = ""] = reporter.split(" ");
  const where = peer === "::" ? `router ${router}` : `peer ${peer} of router ${router}`;
  return others === 0 ? where : `${where} and ${counted(others, "other")}`;
}

function hasPath(paths: RoutePaths[string] | undefined): boolean {
  return Object.values(paths ?? {}).some(([path]) => path !== null);
}

/** Who reports another path, sorted. */
function changedAt(before: RoutePaths, after: RoutePaths, prefix: string): string[] {
  return Object.entries(after[prefix] ?? {})
    .filter(([reporter, [path]]) => path !== (before[prefix]?.[reporter]?.[0] ?? null))
    .map(([reporter]) => reporter)
    .sort();
}
