/**
 * Hints, not proof, that addresses belong to one router, from common properties of their replies. Pure.
 *
 * `ip_id`: the IPv4 identifications of both addresses' replies, in order of receipt at one agent, rise together as from
 * one counter (as Ally and MIDAR test it). `labels`: both replied at one TTL with two or more equal outer MPLS labels,
 * which each router assigns by itself. In both cases `reply_ttl`: all their replies arrived with one TTL, so from the
 * same distance.
 *
 * Ids count as a counter if each step is from 1 to 8191 of 65,536: with random ids, 1 of 4096 series of five replies
 * would pass. Two counters are compared where their values would be adjacent at one time, and must interleave.
 */

/** An address's replies at one agent. */
export interface AnswerSeries {
  readonly address: string;
  readonly agent: string;
  /** TTL of the probes that it replied to, and TTL of its replies; null if these differ. */
  readonly ttl: number;
  readonly replyTtl: number | null;
  /** Seconds, and identification; by time. */
  readonly ids: readonly (readonly [atSec: number, id: number])[];
  /** Outer labels that are not reserved (RFC 3032). */
  readonly labels: readonly number[];
}

interface AliasHint {
  /** Two or more. */
  readonly addresses: readonly string[];
  readonly rests_on: readonly ("ip_id" | "labels" | "reply_ttl")[];
}

const [ids, stepMax, idsMin, turnsMin] = [65_536, 8191, 5, 4];
/** Most addresses with one label at one distance: with more, the label proves nothing. */
const sameLabelMax = 16;
const sameLabelsMin = 2;

export function aliasHints(series: readonly AnswerSeries[]): AliasHint[] {
  const near = [...Map.groupBy(series, ({ agent, replyTtl }) => `${replyTtl} ${agent}`).values()].filter(
    ([first]) => first !== undefined && first.replyTtl !== null,
  );
  const byIds = near.flatMap(sameCounters);
  const byLabels = near.flatMap(sameLabels);
  return [
    ...distinct(byIds).map((addresses) => ({ addresses, rests_on: ["ip_id", "reply_ttl"] as const })),
    ...distinct(byLabels).map((addresses) => ({ addresses, rests_on: ["labels", "reply_ttl"] as const })),
  ];
}

function distinct(sets: readonly (readonly string[])[]): string[][] {
  return [...new Set(sets.map((set) => JSON.stringify([...set].sort())))]
    .sort()
    .map((text) => JSON.parse(text) as string[]);
}

/** Runs of addresses that each share a counter with the previous one. */
function sameCounters(all: readonly AnswerSeries[]): string[][] {
  const counters = all.filter((one) => one.ids.length >= idsMin && isCounter(one.ids));
  const atSec = counters.reduce((most, one) => Math.max(most, one.ids[0]?.[0] ?? 0), 0);
  const sorted = counters
    .map((one) => ({ one, place: idAt(one.ids, atSec) }))
    .sort((a, b) => a.place - b.place);
  const runs: string[][] = [];
  for (const [i, { one }] of sorted.entries()) {
    const before = sorted[i - 1]?.one;
    if (before !== undefined && isShared(before.ids, one.ids)) {
      runs.at(-1)?.push(one.address);
    } else {
      runs.push([one.address]);
    }
  }
  // Counters wrap: the last may be the first.
  const [first, last] = [sorted[0]?.one, sorted.at(-1)?.one];
  if (runs.length > 1 && first !== undefined && last !== undefined && isShared(first.ids, last.ids)) {
    runs[0]?.push(...(runs.pop() ?? []));
  }
  return runs.filter(({ length }) => length > 1);
}

function step(from: number, to: number): number {
  return (to - from + ids) % ids;
}

function isCounter(series: AnswerSeries["ids"]): boolean {
  return series.every(([, id], i) => {
    const before = series[i - 1];
    return before === undefined || (step(before[1], id) >= 1 && step(before[1], id) <= stepMax);
  });
}

/** The counter's value at a time, by its mean speed. */
function idAt(series: AnswerSeries["ids"], atSec: number): number {
  const [first = [0, 0], last = [0, 0]] = [series[0], series.at(-1)];
  const risen = series.reduce((sum, [, id], i) => sum + (i === 0 ? 0 : step(series[i - 1]?.[1] ?? 0, id)), 0);
  const id = first[1] + (risen / Math.max(1e-6, last[0] - first[0])) * (atSec - first[0]);
  return ((id % ids) + ids) % ids;
}

/** Whether both series interleave as one counter. */
function isShared(a: AnswerSeries["ids"], b: AnswerSeries["ids"]): boolean {
  const merged = [...a.map((at) => ({ at, isA: true })), ...b.map((at) => ({ at, isA: false }))].sort(
    (x, y) => x.at[0] - y.at[0],
  );
  const turns = merged.filter(({ isA }, i) => i > 0 && merged[i - 1]?.isA !== isA).length;
  return turns >= turnsMin && isCounter(merged.map(({ at }) => at));
}

function sameLabels(all: readonly AnswerSeries[]): string[][] {
  const places = all.flatMap((one) => one.labels.map((label) => ({ one, key: `${one.ttl} ${label}` })));
  const common = new Map<string, number>();
  for (const own of Map.groupBy(places, ({ key }) => key).values()) {
    const addresses = own.length > sameLabelMax ? [] : own.map(({ one }) => one.address).sort();
    for (const [i, a] of addresses.entries()) {
      for (const b of addresses.slice(i + 1)) {
        common.set(`${a} ${b}`, (common.get(`${a} ${b}`) ?? 0) + 1);
      }
    }
  }
  return [...common].filter(([, count]) => count >= sameLabelsMin).map(([pair]) => pair.split(" "));
}
