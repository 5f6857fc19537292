/** An experiment's targets as rows, one by one and in groups: current site, preference, prepends that move them. */
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import type { Round } from "../../../../lib/measuring/experiment/begun.ts";
import { flipsOf, sharesBy } from "../../../../lib/measuring/experiment/catchment-rounds.ts";
import { preferenceGroups } from "../../../../lib/measuring/experiment/preference-groups.ts";
import { preferencesOf, type SweepRound } from "../../../../lib/measuring/experiment/preferences.ts";
import { familyOf, parseAddress } from "../../../../lib/net/ip/address.ts";
import { formatPrefix, prefixOf } from "../../../../lib/net/ip/prefix.ts";

type Rounds = readonly Round[];
/** Null = unknown. */
export type AsnOf = (target: string) => number | null;

interface TargetRow {
  readonly target: string;
  readonly asn: number | null;
  /** In the last round. */
  readonly at: readonly string[];
  /** Sites in the order of preference, as far as a sweep shows; empty without one. */
  readonly order: readonly string[];
  readonly movedBy: number | null;
  readonly movedTo: string | null;
  /** Changes of the site over all rounds. */
  readonly flips: number;
  /** Rounds with replies at several sites, and at none. */
  readonly unstable: number;
  readonly silent: number;
}

export const targetColumns: readonly Column<TargetRow>[] = [
  { name: "target", head: "target", value: ({ target }) => target },
  { name: "prefix", head: null, value: ({ target }) => networkOf(target) },
  { name: "asn", head: "AS", align: "right", value: ({ asn }) => asn },
  { name: "at", head: "at", value: ({ at }) => at, text: ({ at }) => at.join(", ") },
  { name: "order", head: "prefers", value: ({ order }) => order, text: ({ order }) => order.join(" > ") },
  { name: "moved_by", head: "moved by", align: "right", value: (row) => row.movedBy },
  { name: "moved_to", head: "to", value: (row) => row.movedTo },
  { name: "flips", head: "flips", align: "right", value: ({ flips }) => flips },
  { name: "unstable", head: "unstable", align: "right", value: ({ unstable }) => unstable },
  { name: "silent", head: "silent", align: "right", value: ({ silent }) => silent },
];

export function targetRows(rounds: Rounds, sweep: readonly SweepRound[], asnOf: AsnOf): TargetRow[] {
  const flips = flipsOf(rounds.map(({ sites }) => sites));
  const preferences = preferencesOf(sweep);
  const last = rounds.at(-1)?.sites;
  return [...new Set(rounds.flatMap(({ sites }) => [...sites.keys()]))].map((target) => {
    const seen = rounds.map(({ sites }) => sites.get(target)?.size ?? 0);
    const { order = [], movedByPrepend = null, movedTo = null } = preferences.get(target) ?? {};
    return {
      ...{ target, asn: asnOf(target), at: [...(last?.get(target) ?? [])].sort() },
      ...{ order, movedBy: movedByPrepend, movedTo, flips: flips.get(target) ?? 0 },
      unstable: seen.filter((sites) => sites > 1).length,
      silent: seen.filter((sites) => sites === 0).length,
    };
  });
}

type Counts = Readonly<Record<string, number>>;

interface GroupRow {
  /** A /24, a /48, or an AS; empty = unknown. */
  readonly group: string;
  /** Targets with replies at only one site in the last round, by site. */
  readonly at: Counts;
  /** Targets by preferred site; empty without a sweep. */
  readonly prefer: Counts;
  /** Targets by the prepends that move them; `never` if the largest tested number does not. */
  readonly movedBy: Counts;
}

export function groupColumns(head: string): readonly Column<GroupRow>[] {
  const counts = (name: "at" | "prefer" | "movedBy", key: string, words: string): Column<GroupRow> => ({
    ...{ name: key, head: words, value: (row) => row[name], text: (row) => countsText(row[name]) },
  });
  return [
    { name: "group", head, value: ({ group }) => group, cell: ({ group }) => group || "not known" },
    counts("at", "at", "at"),
    counts("prefer", "prefer", "prefer"),
    counts("movedBy", "moved_by", "moved by"),
  ];
}

/** Groups with the most targets first. */
export function groupRows(
  rounds: Rounds,
  sweep: readonly SweepRound[],
  groupOf: (target: string) => string | null,
): GroupRow[] {
  const at = sharesBy(rounds.at(-1)?.sites ?? new Map(), groupOf);
  const preferences = preferenceGroups(preferencesOf(sweep), groupOf);
  const byGroup = new Map(preferences.map((group) => [group.group, group]));
  const sizeOf = (group: string) => [...(at.get(group)?.values() ?? [])].reduce((sum, one) => sum + one, 0);
  const groups = [...new Set([...at.keys(), ...byGroup.keys()])].sort();
  return groups
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .map((group) => {
      const { best, movedBy } = byGroup.get(group) ?? {};
      const moved = [...(movedBy ?? [])].map(([count, targets]) => [count ?? "never", targets] as const);
      return {
        ...{ group, at: Object.fromEntries(at.get(group) ?? []), prefer: Object.fromEntries(best ?? []) },
        movedBy: Object.fromEntries(moved),
      };
    });
}

/** The /24 or /48 of an address: the longest prefixes that propagate in the Internet. Null for other text. */
export function networkOf(target: string): string | null {
  const address = parseAddress(target);
  return address === null ? null : formatPrefix(prefixOf(address, familyOf(address) === 4 ? 24 : 48));
}

function countsText(counts: Counts): string {
  return Object.entries(counts)
    .sort()
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
