/** The status of an agent for its host, as text and as JSON. */
import * as v from "valibot";
import { counted, grouped, sizeText } from "../../../../lib/base/terminal/figures.ts";
import { printLine } from "../../../../lib/base/terminal/output.ts";
import { printRows } from "../../../../lib/base/terminal/print-rows.ts";
import { timeInWords } from "../../../../lib/base/terminal/time-words.ts";
import { localUrl } from "../../../../lib/command/checkup/net/web.ts";
import type { HostLimits } from "../../../../lib/measuring/probing/host-hold.ts";
import type { AgentConfig } from "../config/config.ts";
import { dayOf, type HostFigures, type HostMeasurement } from "./host-ledger.ts";

const answerMs = 2000;

const healthSchema = v.object({
  status: v.string(),
  reasons: v.array(v.string()),
  holds: v.array(v.object({ by: v.string(), reason: v.string() })),
});
type AgentHealth = v.InferOutput<typeof healthSchema>;

/** The running agent's own health; null when none answers on its address. */
export async function agentHealth({ listen }: AgentConfig): Promise<AgentHealth | null> {
  const url = localUrl(listen);
  if (url === null) {
    return null;
  }
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(answerMs) });
    return v.parse(healthSchema, await response.json());
  } catch {
    return null;
  }
}

interface StatusParts {
  readonly config: AgentConfig;
  readonly figures: HostFigures;
  readonly pausedAtMs: number | null;
  readonly health: AgentHealth | null;
  readonly nowMs: number;
}

interface HostStatus {
  readonly agent: string;
  readonly running: boolean;
  readonly paused_since: string | null;
  readonly reasons: readonly string[];
  readonly limits: HostLimits;
  /** Oldest first; the last one is today. */
  readonly days: HostFigures["days"];
  /** Newest first. */
  readonly measurements: readonly HostMeasurement[];
  /** Where the agent measures for users; null = the broker alone. */
  readonly gateway: string | null;
  readonly sources: readonly string[];
}

export function statusOf({ config, figures, pausedAtMs, health, nowMs }: StatusParts): HostStatus {
  const { agentId, stateDir, hostLimits, gateway, listen } = config;
  const today = dayOf(nowMs);
  const days = figures.days.filter(({ day }) => day !== today);
  const used = figures.days.find(({ day }) => day === today) ?? { day: today, packets: 0, bytes: 0 };
  return {
    agent: agentId,
    running: health !== null,
    paused_since: pausedAtMs === null ? null : new Date(pausedAtMs).toISOString(),
    reasons: health?.reasons ?? [],
    limits: hostLimits,
    days: [...days, used],
    measurements: figures.measurements.toSorted((a, b) => b.firstAt.localeCompare(a.firstAt)),
    gateway: gateway?.url ?? null,
    sources: [
      `${stateDir}/host-ledger.json`,
      ...[localUrl(listen) ?? []].flat().map((url) => `${url}/health`),
    ],
  };
}

/** In snake case, as all commands print JSON. */
export function statusJson({ limits, measurements, ...status }: HostStatus) {
  const { bytesPerDay, probesPerDay, hours } = limits;
  return {
    ...status,
    limits: { bytes_per_day: bytesPerDay, probes_per_day: probesPerDay, hours },
    measurements: measurements.map((one) => ({
      measurement_id: one.measurementId,
      ...{
        request_id: one.requestId,
        user: one.user,
        sources: one.sources,
        state: one.state,
        error: one.error,
      },
      ...{ first_at: one.firstAt, last_at: one.lastAt },
      ...{
        sent_probes: one.sentProbes,
        received_replies: one.receivedReplies,
        failed_probes: one.failedProbes,
      },
    })),
  };
}

export function printStatus(status: HostStatus): void {
  const { agent, running, reasons, paused_since: paused } = status;
  const state = running ? "running" : "not running, or not reachable";
  printLine(`${agent}: ${[state, ...reasons].join("; ")}`);
  if (paused !== null) {
    printLine(`Paused by this host since ${timeInWords(paused)} UTC; resume: vantage agent resume`);
  }
  printLine(`Limits of this host: ${limitsText(status)}`);
  printLine("");
  printRows(
    [
      { name: "day", head: "day (UTC)", value: ({ day }) => day },
      { name: "packets", head: "probes sent", align: "right", value: ({ packets }) => packets },
      { name: "bytes", head: "size", value: ({ bytes }) => bytes, cell: ({ bytes }) => sizeText(bytes) },
    ],
    status.days,
    "table",
  );
  printLine("");
  printMeasurements(status);
  printLine("");
  printLine(`Read from ${status.sources.join(" and ")}.`);
  if (status.gateway !== null) {
    printLine(
      `“User” is the gateway's name for its user at this agent; its operator knows who it is. Sources: ` +
        `${new URL("/source/ADDRESS", status.gateway)}`,
    );
  }
}

function limitsText({ limits, days }: HostStatus): string {
  const { bytesPerDay, probesPerDay, hours } = limits;
  const today = days.at(-1);
  const parts = [
    ...(bytesPerDay === null
      ? []
      : [`${sizeText(bytesPerDay)} a day (${sizeText(today?.bytes ?? 0)} sent today)`]),
    ...(probesPerDay === null
      ? []
      : [`${counted(probesPerDay, "probe")} a day (${grouped(today?.packets ?? 0)} sent today)`]),
    ...(hours === null ? [] : [`only ${hours} UTC`]),
  ];
  return parts.length === 0
    ? "none (agent.bytes_per_day, agent.probes_per_day, agent.hours)"
    : parts.join(", ");
}

function printMeasurements({ measurements }: HostStatus): void {
  if (measurements.length === 0) {
    printLine("No measurements yet.");
    return;
  }
  printRows<HostMeasurement>(
    [
      { name: "id", head: "measurement", value: ({ measurementId }) => measurementId },
      { name: "user", head: "user", value: ({ user }) => user },
      {
        name: "sources",
        head: "source",
        value: ({ sources }) => sources,
        text: ({ sources }) => sources.join(" "),
      },
      {
        name: "first",
        head: "first (UTC)",
        value: (row) => row.firstAt,
        cell: (row) => timeInWords(row.firstAt),
      },
      {
        name: "last",
        head: "last (UTC)",
        value: (row) => row.lastAt,
        cell: (row) => timeInWords(row.lastAt),
      },
      { name: "sent", head: "probes", align: "right", value: ({ sentProbes }) => sentProbes },
      { name: "replies", head: "replies", align: "right", value: ({ receivedReplies }) => receivedReplies },
      { name: "state", head: "state", value: ({ state, error }) => error ?? state },
    ],
    measurements,
    "table",
  );
}
