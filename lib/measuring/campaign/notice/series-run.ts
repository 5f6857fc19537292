/**
 * One run of a campaign towards one target from one agent, from its probes and replies.
 *
 * A flow is a path: its probes have the same ports in each run, so an unchanged balancer sends it the same way. If
 * several routers replied at one TTL within one flow, the first counts.
 */

/** All probes of one flow with one TTL. */
export interface ProbedHop {
  /** Equal for equal ports and protocol. */
  readonly flow: string;
  readonly ttl: number;
  readonly sent: number;
  /** At most `sent`: copies of a reply count as one. */
  readonly answered: number;
  /** The first ones, in order of receipt. */
  readonly answers: readonly HopAnswer[];
}

interface HopAnswer {
  readonly router: string;
  /** Null = unknown. */
  readonly rttMs: number | null;
  readonly isTarget: boolean;
}

/**
 * Routers by TTL, the lowest first, up to the target's first reply; null = silent. TTLs that were not probed are
 * missing.
 */
export type Hops = ReadonlyMap<number, string | null>;

export interface SeriesRun {
  /** Probes that should have reached the target, at its known distance; 0 = distance unknown. */
  readonly sent: number;
  /** Those without a reply. */
  readonly lost: number;
  /** Round-trip times of the target's replies, ascending. */
  readonly rttsMs: readonly number[];
  readonly flows: readonly Hops[];
  /** Flows with a reply from the target. */
  readonly reached: number;
  /** Lowest TTL at which every flow that reached the target did; null = none did. */
  readonly reachTtl: number | null;
}

/** `knownReach` is the TTL that reached the target in earlier runs; null = none did. */
export function seriesRun(cells: readonly ProbedHop[], knownReach: number | null): SeriesRun {
  const flows = [...Map.groupBy(cells, ({ flow }) => flow).values()].map((own) =>
    own.toSorted((a, b) => a.ttl - b.ttl),
  );
  const ends = flows.map((own) => own.find(answeredByTarget)?.ttl ?? null);
  const reachTtls = ends.filter((ttl) => ttl !== null);
  const reachTtl = reachTtls.length === 0 ? null : Math.max(...reachTtls);
  const far = flows.flatMap((own, i) => {
    const from = ends[i] ?? reachTtl ?? knownReach;
    return from === null ? [] : own.filter(({ ttl }) => ttl >= from);
  });
  const sum = (count: (cell: ProbedHop) => number) => far.reduce((all, cell) => all + count(cell), 0);
  const targets = cells.flatMap(({ answers }) => answers.filter(({ isTarget }) => isTarget));
  return {
    sent: sum(({ sent }) => sent),
    lost: sum(({ sent, answered }) => Math.max(0, sent - answered)),
    rttsMs: targets.flatMap(({ rttMs }) => rttMs ?? []).sort((a, b) => a - b),
    flows: flows.map((own, i) => hopsOf(own, ends[i] ?? null)),
    reached: reachTtls.length,
    reachTtl,
  };
}

function answeredByTarget({ answers }: ProbedHop): boolean {
  return answers.some(({ isTarget }) => isTarget);
}

function hopsOf(own: readonly ProbedHop[], endTtl: number | null): Hops {
  const within = own.filter(({ ttl }) => endTtl === null || ttl <= endTtl);
  return new Map(within.map(({ ttl, answers }) => [ttl, answers[0]?.router ?? null]));
}
