/** What the views of a campaign must show of some raw rows, in plain TypeScript (oracle.ts). */
import type { CampaignRun } from "../../../lib/engines/store/clickhouse/reply-filter.ts";
import {
  type Cell,
  cellsOf,
  compareAddress,
  compareText,
  groups,
  probesOf,
  rowsOfMeasurement,
  sum,
} from "./oracle.ts";
import { isEcho, knownRttMs, type RawRows } from "./raw-rows.ts";

export interface Part {
  readonly measurement: string;
  readonly run: CampaignRun | null;
  readonly agent: string;
  readonly destination: string;
  readonly cells: readonly Cell[];
}

/** A part for each measurement, agent and destination, in the order of rows. */
export function partsOf(rows: RawRows, runs: readonly CampaignRun[]): Part[] {
  const measurements = new Set([...rows.probes, ...rows.replies].map(({ measurement }) => measurement));
  return [...measurements]
    .flatMap((measurement) => {
      const run = runs.find(({ measurementId }) => measurementId === measurement) ?? null;
      const own = groups(
        cellsOf(rowsOfMeasurement(rows, measurement)),
        ({ agent, destination }) => `${agent} ${destination}`,
      );
      return [...own.values()].map((cells) => {
        const { agent = "", destination = "" } = cells[0] ?? {};
        return { measurement, run, agent, destination, cells };
      });
    })
    .sort(
      (a, b) =>
        compareAddress(a.destination, b.destination) ||
        compareText(a.agent, b.agent) ||
        (a.run?.run ?? 0) - (b.run?.run ?? 0) ||
        compareText(a.measurement, b.measurement),
    );
}

function named({ measurement, run, agent, destination }: Part) {
  const planned_at = run === null ? null : new Date(run.plannedMs).toISOString();
  return { run: run?.run ?? null, planned_at, measurement_id: measurement, agent, destination };
}

export function expectedSeries(rows: RawRows, runs: readonly CampaignRun[] = []) {
  return partsOf(rows, runs).flatMap((part) => {
    const { cells } = part;
    const submitted = sum(cells.map(({ sent }) => sent));
    const answered = sum(cells.map(({ sent, replies }) => Math.min(sent, probesOf(replies).length)));
    const sent = cells.filter((cell) => cell.sent > 0);
    const duplicates = sum(sent.map(({ replies }) => replies.length - probesOf(replies).length));
    const rtts = rttsOf(part);
    const flows = pathsOf(part).map((hops) => JSON.stringify(hops));
    const sizes = [...groups(flows, (flow) => flow).values()].map((same) => same.length);
    const [low, high] = wilson(submitted - answered, submitted);
    const row = {
      ...{ ...named(part), submitted, answered, duplicates },
      loss_percent: hundredths((100 * (submitted - answered)) / submitted),
      ...{ loss_low_percent: hundredths(100 * low), loss_high_percent: hundredths(100 * high) },
      ...{ rtt_replies: rtts.length, rtt_p10_ms: quantile(rtts, 0.1) },
      ...{ rtt_median_ms: quantile(rtts, 0.5), rtt_p90_ms: quantile(rtts, 0.9) },
      ...{ flows: flows.length, paths: sizes.length },
      top_path_percent: flows.length === 0 ? null : hundredths((100 * Math.max(...sizes)) / flows.length),
    };
    return submitted === 0 ? [] : [row];
  });
}

/** Known times of the destination's replies, ascending. */
export function rttsOf({ cells, destination }: Part): number[] {
  return cells
    .flatMap(({ replies }) => replies.filter((one) => one.from === destination || isEcho(one)))
    .map(knownRttMs)
    .filter((rtt) => rtt !== null)
    .sort((a, b) => a - b);
}

type Hop = readonly [ttl: number, router: string];

/** Who answered first at each TTL, up to the destination; of each flow that anybody answered. */
export function pathsOf({ cells, destination }: Part): Hop[][] {
  const flows = groups(cells, (cell) => `${cell.protocol} ${cell.srcPort} ${cell.dstPort}`);
  return [...flows.values()].flatMap((own) => {
    const hops = own
      .flatMap(({ ttl, replies }) => (replies[0] === undefined ? [] : [[ttl, replies[0].from] as const]))
      .sort(([a], [b]) => a - b);
    const end = hops.findIndex(([, router]) => router === destination);
    return hops.length === 0 ? [] : [end < 0 ? hops : hops.slice(0, end + 1)];
  });
}

export function expectedChanges(rows: RawRows, runs: readonly CampaignRun[] = []) {
  const series = groups(partsOf(rows, runs), ({ agent, destination }) => `${agent} ${destination}`);
  return [...series.values()].flatMap((parts) => {
    const linked = parts
      .map((part) => ({ part, links: linksOf(part) }))
      .filter(({ links }) => links.size > 0);
    return linked.flatMap(({ part, links }, i) => {
      const before = linked[i - 1]?.links ?? new Map<string, Map<string, number>>();
      return [...links].flatMap(([router, now]) => differences(part, router, now, before.get(router)));
    });
  });
}

function differences(
  part: Part,
  router: string,
  now: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number> | undefined,
) {
  if (before === undefined) {
    return [];
  }
  const [whole, wholeBefore] = [sum([...now.values()]), sum([...before.values()])];
  return [...new Set([...now.keys(), ...before.keys()])].sort(compareAddress).flatMap((next_hop) => {
    const [flows, was] = [now.get(next_hop) ?? 0, before.get(next_hop) ?? 0];
    const row = {
      ...{ ...named(part), router, next_hop, flows, share_percent: hundredths((100 * flows) / whole) },
      ...{ flows_before: was, share_before_percent: hundredths((100 * was) / wholeBefore) },
    };
    return flows * wholeBefore === was * whole ? [] : [row];
  });
}

/** Flows from router to router. */
function linksOf(part: Part): Map<string, Map<string, number>> {
  const links = new Map<string, Map<string, number>>();
  for (const hops of pathsOf(part)) {
    for (const [i, [ttl, near]] of hops.entries()) {
      const [nextTtl = 0, far = near] = hops[i + 1] ?? [];
      if (nextTtl === ttl + 1 && far !== near && near !== part.destination) {
        const counts = links.get(near) ?? new Map<string, number>();
        links.set(near, counts.set(far, (counts.get(far) ?? 0) + 1));
      }
    }
  }
  return new Map(
    [...links]
      .sort(([a], [b]) => compareAddress(a, b))
      .map(([near, counts]) => [near, new Map([...counts].sort(([a], [b]) => compareAddress(a, b)))]),
  );
}

function wilson(hits: number, all: number): readonly [number, number] {
  const z = 1.96;
  const share = hits / all;
  const middle = share + (z * z) / (2 * all);
  const reach = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  const scale = 1 + (z * z) / all;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}

export function quantile(values: readonly number[], level: number): number | null {
  const place = level * (values.length - 1);
  const [below, above] = [values[Math.floor(place)], values[Math.ceil(place)]];
  return below === undefined || above === undefined ? null : below + (place % 1) * (above - below);
}

export function hundredths(value: number): number {
  return Math.round(100 * value) / 100;
}
