/** The progress of a campaign's agents: what they reported, and which of their answers have been read here. Pure. */
import type { MeasurementStatus } from "../../../../lib/engines/gateway-client/answers.ts";
import { delayWindowMs } from "../limits.ts";

interface Report {
  readonly count: number;
  readonly atMs: number;
}

export class AgentProgress {
  /** The last known status; null before the first. */
  status: MeasurementStatus | null = null;
  /** Grows with each probe that is sent and each answer that is read. */
  version = 0;
  /** Probes of the plan that each agent has sent. */
  readonly #sent = new Map<string, number>();
  /** Answers that each agent received and that have been read. */
  readonly #read = new Map<string, number>();
  /** The reports of each agent that brought more probes, in order. */
  readonly #reports = new Map<string, Report[]>();
  /** Longest delays of this window and the one before. */
  #delaysMs = { sinceMs: 0, now: 0, before: 0 };

  sentBy(agent: string): number {
    return this.#sent.get(agent) ?? 0;
  }

  /** Sums over all agents. */
  get totals(): { readonly sent: number; readonly read: number } {
    return { sent: sumOf(this.#sent), read: sumOf(this.#read) };
  }

  /** Returns the previous count; a lower count changes nothing. */
  noteSent(agent: string, count: number): number {
    const before = this.sentBy(agent);
    if (count > before) {
      this.#sent.set(agent, count);
      this.version++;
    }
    return before;
  }

  noteRead(agent: string): void {
    this.#read.set(agent, (this.#read.get(agent) ?? 0) + 1);
    this.version++;
  }

  /** An agent's report of how many probes of the plan it has sent. */
  noteReport(agent: string, count: number, atMs: number): void {
    const reports = this.#reports.get(agent) ?? [];
    if (count > (reports.at(-1)?.count ?? 0)) {
      reports.push({ count, atMs });
      this.#reports.set(agent, reports);
    }
  }

  /** An answer was read to the probe at this place of the plan: how long after the report that it was sent. */
  noteDelay(agent: string, place: number, nowMs: number): void {
    // Mostly one of the last: answers take seconds, a trace may take an hour.
    const reports = this.#reports.get(agent) ?? [];
    const report = reports[reports.findLastIndex(({ count }) => count <= place) + 1];
    const delayMs = report === undefined ? 0 : nowMs - report.atMs;
    const { sinceMs, now, before } = this.#delaysMs;
    this.#delaysMs =
      nowMs - sinceMs < delayWindowMs
        ? { sinceMs, now: Math.max(now, delayMs), before }
        : { sinceMs: nowMs, now: delayMs, before: now };
  }

  /** The longest of late: answers that take longer are a while behind what was sent. */
  get delayMs(): number {
    return Math.max(this.#delaysMs.now, this.#delaysMs.before);
  }

  /** Whether the agent's part has ended: it sends nothing more. */
  hasEnded(agent: string): boolean {
    const part = this.status?.agents.find(({ agent_id }) => agent_id === agent);
    return part !== undefined && endedStatuses.has(part.status ?? "");
  }

  /** Whether agents received answers that are still on their way through broker, column store and gateway. */
  get isBehind(): boolean {
    const parts = this.status?.agents ?? [];
    return parts.some(({ agent_id, received_replies }) => (this.#read.get(agent_id) ?? 0) < received_replies);
  }
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

const endedStatuses: ReadonlySet<string> = new Set(["complete", "cancelled", "failed", "expired"]);
