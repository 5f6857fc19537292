/** An agent as the gateway sees it: it reports each second, and notes when it hears that a measurement has ended. */

import * as v from "valibot";
import { type HealthAnswer, healthAnswerSchema } from "../../../lib/probing/agent-report.ts";
import { agentPath } from "./enrol.ts";

const reportEveryMs = 1000;

interface AgentParts {
  readonly url: string;
  readonly key: string;
  readonly n: number;
  readonly measurements: readonly string[];
}

export class ReportingAgent {
  readonly measurements: readonly string[];
  /** When it heard of the end of each, by `performance.now()`. */
  readonly heardMs = new Map<string, number>();
  /** How long after it was due each report was over. */
  lateMs: number[] = [];
  readonly #place: string;
  readonly #headers: Record<string, string>;
  #sent = 0;
  #isStopped = false;

  constructor({ url, key, n, measurements }: AgentParts) {
    this.measurements = measurements;
    this.#place = `${url.replace(/\/$/, "")}${agentPath(n)}`;
    this.#headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  }

  /** Resolves when it is stopped. Rejects when a report is refused. */
  async run(): Promise<void> {
    // Agents do not begin together.
    let dueMs = performance.now() + reportEveryMs * Math.random();
    while (!this.#isStopped) {
      await Bun.sleep(Math.max(0, dueMs - performance.now()));
      await this.#report();
      this.lateMs.push(performance.now() - dueMs);
      // As our agents do, it waits a second from the beginning of a report, or begins the next at once.
      dueMs = Math.max(dueMs + reportEveryMs, performance.now());
    }
  }

  /** What was late until now. */
  forget(): void {
    this.lateMs = [];
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #report(): Promise<void> {
    const details = { report_interval_ms: reportEveryMs };
    const answer = v.parse(healthAnswerSchema, await this.#post("/health", { healthy: true, details }));
    this.#hear(answer);
    this.#sent += 100;
    const progress = this.measurements.map((id) => ({
      measurement_id: id,
      sent_probes: this.#sent,
      is_complete: false,
      is_stopped: this.heardMs.has(id),
    }));
    await this.#post("/measurements/status", progress);
  }

  #hear({ cancelled }: HealthAnswer): void {
    for (const id of cancelled) {
      if (!this.heardMs.has(id)) {
        this.heardMs.set(id, performance.now());
      }
    }
  }

  async #post(path: string, body: unknown): Promise<unknown> {
    const request = { method: "POST", headers: this.#headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.#place}${path}`, request);
    if (!response.ok) {
      throw new Error(`A report is answered ${response.status}: ${await response.text()}`);
    }
    return await response.json();
  }
}
