/** The gateway's side of experiments: paced submissions, their progress and replies, agents' clocks and sources. */
import { ambiguousHeader } from "../../../lib/answers/results/unattributed.ts";
import { viewAnswer } from "../../../lib/answers/results/view-answer.ts";
import { viewOf } from "../../../lib/answers/results/views.ts";
import { textLines } from "../../../lib/engines/gateway-client/text-lines.ts";
import { Owned } from "../../../lib/engines/http/owned.ts";
import { rowOf } from "../../../lib/engines/store/postgres/row-of.ts";
import type { ExperimentMeasure } from "../campaigns/experiments/run/experiment-measure.ts";
import { nsOfTime } from "../campaigns/experiments/run/ns-of-time.ts";
import type { Received } from "../campaigns/experiments/run/planes.ts";
import { experimentRepliesMax } from "../campaigns/limits.ts";
import { findMeasurementWindow } from "./reads/measurement-window.ts";
import { filterOf } from "./reads/read-query.ts";
import { type ReadServices, unattributedHeaders, withAttribution } from "./reads/selection.ts";
import { submitInside } from "./submit/submit-inside.ts";
import type { SubmitServices } from "./submit/submit-services.ts";
import { userPrefixes } from "./users/user-prefixes.ts";

interface MeasureServices extends SubmitServices {
  readonly store: ReadServices["store"];
}

export function experimentMeasure(services: MeasureServices): ExperimentMeasure {
  const { database, users } = services;
  const { sql, timed } = database;
  return {
    submitPaced: async ({ pace, ...order }) => (await submitInside(services, { ...order, pace })).id,
    progress: async (id) => {
      const rows = await timed(
        "experiment_progress",
        () => sql<{ is_over: boolean; expected: number; sent: number; replies: number }[]>`
          SELECT bool_and(whole.ended_at IS NOT NULL) AS is_over, coalesce(sum(expected_probes), 0)::float8 AS expected,
            coalesce(sum(sent_probes), 0)::float8 AS sent, coalesce(sum(received_replies), 0)::float8 AS replies
          FROM measurements AS whole JOIN measurement_agents USING (measurement_id) WHERE measurement_id = ${id}`,
      );
      const { is_over, ...sums } = rowOf(rows);
      return { ...sums, isOver: is_over };
    },
    replies: (userHash, id) => repliesOf(services, Owned.of(userHash, { kind: "measurement", id })),
    clockOf: async (agent) => {
      const [row] = await timed(
        "experiment_clock",
        () => sql<{ received_at: Date | null; offset_ms: number | null; within_ms: number | null }[]>`
          SELECT health_received_at AS received_at, (health_details->'clock'->>'offset_ms')::float8 AS offset_ms,
            (health_details->'clock'->>'within_ms')::float8 AS within_ms FROM agents WHERE agent_id = ${agent}`,
      );
      const { received_at: received, offset_ms, within_ms } = row ?? {};
      return received == null || offset_ms == null || within_ms == null
        ? null
        : { timeMs: Date.now(), receivedMs: received.getTime(), offset_ms, within_ms };
    },
    prefixesAt: async (userHash, agent) => {
      const all = await userPrefixes(database, userHash, await users.idOf(userHash));
      const own = all.find(({ agent_id }) => agent_id === agent);
      return own?.prefixes.map(({ user_prefix }) => user_prefix) ?? [];
    },
    rateOf: async (agent) => {
      const [row] = await timed(
        "experiment_rate",
        () => sql<{ rate: number | null }[]>`
          SELECT (SELECT min((one->>'probing_rate')::float8) FROM jsonb_array_elements(config) AS one) AS rate
          FROM agents WHERE agent_id = ${agent}`,
      );
      return row?.rate ?? null;
    },
  };
}

/** The members of a reply's row that experiments read. */
interface ReplyRow {
  readonly time_received: string;
  readonly agent_id: string;
  readonly reply_src_addr: string;
  readonly probe_dst_addr: string;
  readonly probe_ttl: number;
  readonly rtt_ms: number | null;
  readonly rtt_us?: number | null;
  readonly probe_agent: string;
  readonly reply_ttl: number;
}

async function repliesOf(services: MeasureServices, own: Owned) {
  const { database, store } = services;
  const measured = await findMeasurementWindow(database, own);
  const filter = await withAttribution(
    { database, store },
    measured,
    filterOf(measured.id, { since: null, until: null }),
  );
  const query = { filter, limit: experimentRepliesMax };
  const ask: ReadServices["store"]["ask"] = (question) => store.ask(question);
  const received: Received[] = [];
  for await (const line of textLines(viewAnswer(viewOf("replies"), { ask, query, form: "ndjson" }, null))) {
    received.push(receivedOf(JSON.parse(line) as ReplyRow));
  }
  const left = await unattributedHeaders({ store }, filter);
  return { received, ambiguous: Number(left[ambiguousHeader] ?? 0) };
}

function receivedOf(row: ReplyRow): Received {
  const receivedNs = nsOfTime(row.time_received);
  return {
    ...{ agent: row.agent_id, target: row.probe_dst_addr, ttl: row.probe_ttl, router: row.reply_src_addr },
    ...{ sender: row.probe_agent, replyTtl: row.reply_ttl, receivedNs },
    sentNs:
      row.rtt_ms === null
        ? receivedNs
        : receivedNs - BigInt(1000 * (row.rtt_us ?? Math.round(1000 * row.rtt_ms))),
  };
}
