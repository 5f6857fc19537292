/** What the view `trend` must show of some raw rows, in plain TypeScript; its quantiles are judged by `rtts`. */
import type { CampaignRun } from "../../../lib/engines/store/clickhouse/reply-filter.ts";
import { compareAddress, compareText, groups, probesOf, sum } from "./oracle.ts";
import type { RawRows } from "./raw-rows.ts";
import { hundredths, type Part, partsOf, pathsOf, rttsOf } from "./series-oracle.ts";

const [hourMs, dayMs] = [3_600_000, 86_400_000];

interface Placed extends Part {
  readonly atMs: number;
  readonly submitted: number;
  readonly answered: number;
  readonly isChanged: boolean;
}

/** `hours`: 1 or 24. */
export function expectedTrend(rows: RawRows, runs: readonly CampaignRun[] = [], hours: 1 | 24 = 24) {
  const widthMs = hours * hourMs;
  const placed = [...groups(partsOf(rows, runs), targetOf).values()].flatMap((parts) =>
    withChanges(parts, rows),
  );
  const buckets = groups(placed, (part) => `${Math.floor(part.atMs / widthMs)} ${targetOf(part)}`);
  const before = (key: string) => {
    const [number = "", ...target] = key.split(" ");
    return buckets.get([Number(number) - (7 * dayMs) / widthMs, ...target].join(" ")) ?? [];
  };
  return [...buckets]
    .map(([key, parts]) => {
      const { agent = "", destination = "", atMs = 0 } = parts[0] ?? {};
      const [submitted, answered] = countsOf(parts);
      const [submittedBefore, answeredBefore] = countsOf(before(key));
      const loss = (all: number, hits: number) => (all === 0 ? null : hundredths((100 * (all - hits)) / all));
      return {
        time: new Date(widthMs * Math.floor(atMs / widthMs)).toISOString(),
        ...{ hours, agent, destination, measurements: parts.length, submitted, answered },
        loss_percent: loss(submitted, answered),
        loss_week_before_percent: loss(submittedBefore, answeredBefore),
        rtt_replies: sum(parts.map((part) => rttsOf(part).length)),
        path_changes: parts.filter(({ isChanged }) => isChanged).length,
        rtts: parts.flatMap(rttsOf).sort((a, b) => a - b),
      };
    })
    .sort(
      (a, b) =>
        compareText(a.time, b.time) ||
        compareAddress(a.destination, b.destination) ||
        compareText(a.agent, b.agent),
    );
}

function countsOf(parts: readonly Placed[]): readonly [submitted: number, answered: number] {
  return [sum(parts.map(({ submitted }) => submitted)), sum(parts.map(({ answered }) => answered))];
}

function targetOf({ agent, destination }: Part): string {
  return `${agent} ${destination}`;
}

/** Measurements of one target in the order of their runs; what was not submitted counts for nothing. */
function withChanges(parts: readonly Part[], { probes }: RawRows): Placed[] {
  let previous: string | null = null;
  const all = parts.map((part): Placed => {
    const { cells, measurement, run, agent, destination } = part;
    const submitted = sum(cells.map(({ sent }) => sent));
    const paths = pathsOf(part).map((hops) => JSON.stringify(hops));
    const now: string | null = paths.length === 0 ? previous : [...new Set(paths)].sort().join(" ");
    const isChanged = submitted > 0 && previous !== null && now !== previous;
    previous = submitted > 0 ? now : previous;
    const own = probes.filter(
      (one) => one.measurement === measurement && one.agent === agent && one.destination === destination,
    );
    return {
      ...{ ...part, submitted, isChanged },
      answered: sum(cells.map(({ sent, replies }) => Math.min(sent, probesOf(replies).length))),
      atMs: run?.plannedMs ?? Math.min(...own.map(({ timeMs }) => timeMs)),
    };
  });
  return all.filter(({ submitted }) => submitted > 0);
}
