/** Runs the detectors on each series of a run, and stores the baselines. */
import type { TransactionSql } from "postgres";
import type { RunCell } from "../../../../lib/answers/results/run-cells.ts";
import type { AsnOf } from "../../../../lib/measuring/campaign/notice/ases.ts";
import { type HoldState, notHeld } from "../../../../lib/measuring/campaign/notice/hold.ts";
import {
  afterAgentRun,
  afterSeriesRun,
  type Change,
  newSeries,
  type SeriesState,
} from "../../../../lib/measuring/campaign/notice/notice.ts";
import { medianInterval } from "../../../../lib/measuring/campaign/notice/rtt-shift.ts";
import type { Rules } from "../../../../lib/measuring/campaign/notice/rules.ts";
import { seriesRun } from "../../../../lib/measuring/campaign/notice/series-run.ts";
import { lookbackMax, seriesMax } from "../limits.ts";
import type { EndedRun } from "./ended-run.ts";
import type { SeriesFigures } from "./status-check.ts";

export interface SeriesChange extends Change {
  readonly agent: string;
  /** Empty = the agent itself. */
  readonly destination: string;
}

/** What is kept of a series between runs. */
export interface SeriesRow {
  readonly agent_id: string;
  readonly destination: string;
  readonly state: unknown;
  readonly figures: unknown;
}

interface Looked {
  readonly rules: Rules;
  readonly asnOf: AsnOf;
  readonly cells: readonly RunCell[];
}

interface Noticed {
  readonly changes: readonly SeriesChange[];
  readonly note: string | null;
}

/** In one transaction with marking the run as evaluated. */
export async function noticeRun(tx: TransactionSql, ended: EndedRun, looked: Looked): Promise<Noticed> {
  const { campaign_id, run } = ended;
  const known = await tx<SeriesRow[]>`
    SELECT agent_id, destination, state, figures FROM campaign_series WHERE campaign_id = ${campaign_id}`;
  const { rows, ...noticed } = runNotices(ended, known, looked);
  await tx`
    INSERT INTO campaign_series (campaign_id, agent_id, destination, state, last_run, figures)
    SELECT ${campaign_id}, agent_id, destination, state, ${run}::integer, figures
    FROM jsonb_to_recordset(${tx.json(JSON.parse(JSON.stringify(rows)))})
      AS one (agent_id text, destination text, state jsonb, figures jsonb)
    ON CONFLICT (campaign_id, agent_id, destination) DO UPDATE
    SET state = excluded.state, last_run = excluded.last_run, figures = excluded.figures`;
  return noticed;
}

/** The alerts of a run after the series' states before it, and the new states of those it measured. */
export function runNotices(ended: EndedRun, known: readonly SeriesRow[], looked: Looked) {
  const states = new Map(known.map((row) => [keyOf(row.agent_id, row.destination), row]));
  const agents = agentSteps(ended, states, looked.rules);
  const room = seriesMax - known.filter(({ destination }) => destination !== "").length;
  const targets = targetSteps(ended, states, looked, room);
  return {
    rows: [...agents.rows, ...targets.rows].map((row) => ({ ...row })),
    changes: [...agents.changes, ...targets.changes],
    note: targets.left === 0 ? null : `${targets.left} series beyond ${seriesMax} are not monitored`,
  };
}

type States = ReadonlyMap<string, SeriesRow>;

interface Steps {
  readonly rows: readonly SeriesRow[];
  readonly changes: readonly SeriesChange[];
}

/** In a run that could not start, the known agents count as silent. */
function agentSteps({ parts, state, reason }: EndedRun, states: States, rules: Rules): Steps {
  const known = [...states.values()].filter(({ destination }) => destination === "");
  const asked =
    state === "done"
      ? [...Map.groupBy(parts, ({ agent }) => agent)].map(([agent, own]) => ({
          agent,
          hasSent: own.every(({ hasSent }) => hasSent),
          why: own.find(({ hasSent }) => !hasSent)?.reason ?? "",
        }))
      : known.map(({ agent_id: agent }) => ({ agent, hasSent: false, why: reason ?? state }));
  const rows: SeriesRow[] = [];
  const changes: SeriesChange[] = [];
  for (const { agent, hasSent, why } of asked) {
    const before = (states.get(keyOf(agent, ""))?.state ?? notHeld) as HoldState;
    const step = afterAgentRun(rules, before, hasSent, why);
    rows.push({ agent_id: agent, destination: "", state: step.state, figures: { has_sent: hasSent } });
    changes.push(...(step.change === null ? [] : [{ ...step.change, agent, destination: "" }]));
  }
  return { rows, changes };
}

function targetSteps(
  { parts, run }: EndedRun,
  states: States,
  { rules, asnOf, cells }: Looked,
  room: number,
): Steps & { readonly left: number } {
  const silent = new Set(parts.filter(({ hasSent }) => !hasSent).map(({ agent }) => agent));
  const series = Map.groupBy(cells, ({ agent, destination }) => keyOf(agent, destination));
  const rows: SeriesRow[] = [];
  const changes: SeriesChange[] = [];
  let [left, free] = [0, room];
  for (const [key, own] of series) {
    const { agent = "", destination = "" } = own[0] ?? {};
    const before = states.get(key);
    if (silent.has(agent)) {
      continue;
    }
    if (before === undefined && free-- <= 0) {
      left++;
      continue;
    }
    const state = (before?.state ?? newSeries) as SeriesState;
    const figures = seriesRun(own.map(hopOf(destination)), state.reachTtl);
    const step = afterSeriesRun(rules, state, figures, asnOf);
    const median = medianInterval(figures.rttsMs)?.median ?? null;
    rows.push({
      agent_id: agent,
      destination,
      state: step.state,
      figures: {
        ...{ run, sent: figures.sent, lost: figures.lost },
        medians_ms: [median, ...mediansOf(before)].slice(0, lookbackMax),
      },
    });
    changes.push(...step.changes.map((change) => ({ ...change, agent, destination })));
  }
  return { rows, changes, left };
}

function mediansOf(before: SeriesRow | undefined): SeriesFigures["medians_ms"] {
  return (before?.figures as SeriesFigures | null | undefined)?.medians_ms ?? [];
}

function hopOf(target: string) {
  return ({ flow, ttl, sent, answered, answers }: RunCell) => ({
    ...{ flow, ttl, sent, answered },
    answers: answers.map(([router, rttMs]) => ({ router, rttMs, isTarget: router === target })),
  });
}

/** Neither contains a blank. */
function keyOf(agent: string, destination: string): string {
  return `${agent} ${destination}`;
}
