/** Runs of many series through every detector of alerts, made beforehand and looked at one after another. */
import { afterSeriesRun, newSeries } from "../../../lib/measuring/campaign/notice/notice.ts";
import { everyRule } from "../../../lib/measuring/campaign/notice/rules.ts";
import { type ProbedHop, seriesRun } from "../../../lib/measuring/campaign/notice/series-run.ts";

const flows = 8;
/** Hops of each flow that a run probes. */
const kinds = { traces: 8, pings: 1 } as const;
/** Runs of a series: some of them teach it what is usual. */
const runsOfSeries = 20;

/** Points a CPU second, of so many: cells to figures to alerts, with the state through JSON as where it is kept. */
export function detectorPointsPerCpuSec(points: number, kind: keyof typeof kinds): number {
  const runs = Array.from({ length: runsOfSeries }, (_, run) => cellsOf(run, kinds[kind]));
  const series = Math.ceil(points / runsOfSeries);
  let looked = 0;
  const before = process.cpuUsage();
  for (let one = 0; one < series; one++) {
    let state = newSeries;
    for (const cells of runs) {
      const step = afterSeriesRun(everyRule, state, seriesRun(cells, state.reachTtl), () => null);
      state = JSON.parse(JSON.stringify(step.state));
      looked++;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (1e6 * looked) / (user + system);
}

/** A balancer in the middle, and one probe in a hundred without an answer. */
function cellsOf(run: number, hops: number): ProbedHop[] {
  return Array.from({ length: flows * hops }, (_, i) => {
    const [flow, ttl] = [Math.floor(i / hops), 1 + (i % hops)];
    const isTarget = ttl === hops;
    const router = isTarget ? "192.0.2.1" : `198.51.100.${ttl === 4 ? 40 + (flow % 3) : ttl}`;
    const answer = { router, rttMs: 10 * ttl + ((run * 7 + i) % 10) / 10, isTarget };
    const answers = (run * 64 + i) % 100 === 0 ? [] : [answer];
    return { flow: String(flow), ttl, sent: 1, answered: answers.length, answers };
  });
}
