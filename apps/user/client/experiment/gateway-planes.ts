/** An experiment's announcements and probes, through the gateways' APIs. */
import * as v from "valibot";
import { ambiguousHeader } from "../../../../lib/answers/results/unattributed.ts";
import {
  announcementsAnswer,
  changedAnswer,
  wishServersMax,
} from "../../../../lib/base/api/announcements.ts";
import { slices } from "../../../../lib/base/list/slices.ts";
import {
  type MeasurementStatus,
  measurementStatusSchema,
  submittedSchema,
} from "../../../../lib/engines/gateway-client/answers.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";
import { repliesOf, waitForMeasurement } from "../gateway/wait.ts";
import { experimentRepliesMax } from "../limits.ts";
import { announcementPath } from "../peering/announcement-options.ts";
import { jsonHeaders } from "../peering/lease-arguments.ts";
import { nsOfTime } from "./ns-of-time.ts";
import type { ClockNow, ControlPlane, DataPlane, Received, SiteChange, SiteState } from "./planes.ts";

export function controlPlane(gateway: Gateway, prefix: string): ControlPlane {
  return {
    change: async (sites, untilMs) => {
      const until = new Date(untilMs).toISOString();
      const announcements = wishesOf(sites).map((wish) => ({ prefix, until, ...wish }));
      const body = JSON.stringify({ announcements });
      const ask = { method: "PUT", headers: jsonHeaders, body, repeatable: true } as const;
      return (await gateway.read("/api/announcements", changedAnswer, ask)).outcome;
    },
    withdrawAll: async () => {
      await gateway.read(announcementPath(prefix), changedAnswer, { method: "DELETE", repeatable: true });
    },
    states: async () => {
      const {
        announcements,
        report,
        time_ms: timeMs,
      } = await gateway.read("/api/announcements", announcementsAnswer);
      const own = announcements.filter((one) => one.prefix === prefix);
      const isNew = own.every(({ version }) => report !== null && report.version >= version);
      const states = isNew && report !== null ? report.states : [];
      return states
        .filter((state) => state.prefix === prefix)
        .map(
          (state): SiteState => ({
            site: state.server,
            announce: state.announce,
            daemonNs: state.daemon_ns,
            exchangeNs: state.exchange_ns,
            exchange: state.exchange,
            reason: state.daemon_reason ?? state.exchange_reason,
            clockNs: timeMs === undefined || state.clock === null ? null : clockNow(timeMs, state.clock),
          }),
        );
    },
  };
}

/** One announcement request for sites with the same action. */
function wishesOf(changes: readonly SiteChange[]) {
  const alike = Map.groupBy(changes, ({ as }) => {
    const { sites: _sites, ...how } = as ?? { sites: [] };
    return JSON.stringify({ announce: as !== null, ...how });
  });
  return [...alike].flatMap(([how, own]) =>
    slices(
      own.map(({ site }) => site),
      wishServersMax,
    ).map((servers) => ({ servers, ...(JSON.parse(how) as object) })),
  );
}

const nullable = v.optional(v.nullable(v.number()), null);
const agentClock = v.object({
  time_ms: nullable,
  received_at: v.nullable(v.string()),
  details: v.optional(
    v.nullable(v.object({ clock: v.optional(v.object({ offset_ms: nullable, within_ms: nullable })) })),
  ),
});

/** An agent's clock offset is outdated when it has not reported for so long. */
const reportAgeMsMax = 60_000;

/** See `DataPlane.clockOf`. */
async function clockOfAgent(gateway: Gateway, agent: string): Promise<ClockNow | null> {
  const path = `/api/agent/${encodeURIComponent(agent)}/health`;
  const { time_ms: timeMs, received_at: receivedAt, details } = await gateway.read(path, agentClock);
  const { offset_ms: offsetMs, within_ms: withinMs } = details?.clock ?? { offset_ms: null, within_ms: null };
  const isFresh = timeMs !== null && timeMs - Date.parse(receivedAt ?? "") < reportAgeMsMax;
  return !isFresh || offsetMs === null || withinMs === null
    ? null
    : clockNow(timeMs, { offset_ms: offsetMs, within_ms: withinMs });
}

/** A machine's clock from its offset to the gateway's, which is `timeMs`, truncated to a whole number. */
function clockNow(
  timeMs: number,
  { offset_ms: offsetMs, within_ms: withinMs }: { readonly offset_ms: number; readonly within_ms: number },
): ClockNow {
  return [nanos(timeMs + 1 - offsetMs + withinMs), nanos(timeMs - offsetMs - withinMs)];
}

/** To the microsecond, the precision of a double for a time since 1970. */
function nanos(ms: number): bigint {
  return BigInt(Math.round(1000 * ms)) * 1000n;
}

const replyRow = v.object({
  time_received: v.string(),
  agent_id: v.string(),
  reply_src_addr: v.string(),
  probe_dst_addr: v.string(),
  probe_ttl: v.number(),
  rtt_ms: v.nullable(v.number()),
  rtt_us: v.nullish(v.number()),
  probe_agent: v.string(),
  reply_ttl: v.number(),
});

/** How often replies counted by agents are read while the store is behind. */
const [storedTriesMax, storedEveryMs] = [60, 1000];

/** `settleMs`: replies that arrive up to this long after the last probe count. */
export function dataPlane(gateway: Gateway, settleMs: number): DataPlane {
  const repliesNow = async (id: string, signal: AbortSignal) => {
    const query = { format: "ndjson", limit: experimentRepliesMax };
    const response = await gateway.request(`/api/measurements/${id}/replies`, { query, signal });
    const lines = (await response.text()).split("\n").filter((line) => line !== "");
    const received = lines.map((line) => receivedOf(v.parse(replyRow, JSON.parse(line))));
    return { received, ambiguous: Number(response.headers.get(ambiguousHeader) ?? 0) };
  };
  return {
    clockOf: (agent) => clockOfAgent(gateway, agent),
    probe: async ({ key, agents, lines, pace }, signal) => {
      const { id } = await gateway.read("/api/probes", submittedSchema, {
        ...{ method: "POST", body: lines.join("\n"), repeatable: true, signal },
        headers: { "content-type": "text/csv", "idempotency-key": key },
        query: {
          agents: agents.join(","),
          interval_ms: pace?.everyMs,
          round: pace?.lines,
        },
      });
      const order = { timeoutMs: null, replies: null, percent: null, signal, onStatus: () => {} };
      const { status } = await waitForMeasurement(gateway, id, order);
      const sentByMs = Date.now();
      await pause(settleMs, signal);
      const unsent = status.total_expected_probes - sentOf(status);
      for (let tries = 0; ; tries++) {
        const { received, ambiguous } = await repliesNow(id, signal);
        const now = await gateway.read(`/api/measurements/${id}/status`, measurementStatusSchema, { signal });
        // Replies received by another site are not in any agent's count for the measurement.
        const unseen = repliesOf(now) - received.filter(({ agent, sender }) => agent === sender).length;
        if (unseen <= 0 || tries >= storedTriesMax) {
          return { received, sentByMs, unsent, unseen: Math.max(0, unseen), ambiguous };
        }
        await pause(storedEveryMs, signal);
      }
    },
  };
}

function sentOf({ agents }: MeasurementStatus): number {
  return agents.reduce((sum, { sent_probes: sent }) => sum + sent, 0);
}

function receivedOf(row: v.InferOutput<typeof replyRow>): Received {
  const receivedNs = nsOfTime(row.time_received);
  return {
    agent: row.agent_id,
    target: row.probe_dst_addr,
    ttl: row.probe_ttl,
    router: row.reply_src_addr,
    ...{ sender: row.probe_agent, replyTtl: row.reply_ttl, receivedNs },
    sentNs:
      row.rtt_ms === null
        ? receivedNs
        : receivedNs - BigInt(1000 * (row.rtt_us ?? Math.round(1000 * row.rtt_ms))),
  };
}
