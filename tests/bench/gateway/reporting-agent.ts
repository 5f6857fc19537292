/** An agent as the gateway sees it: it reports each second, and notes when it hears that a measurement has ended. */
import * as v from "valibot";
import { healthAnswerSchema } from "../../../lib/measuring/probing/agent-report.ts";
import { agentPath } from "./enrol.ts";
import { KeptConnection } from "./kept-connection.ts";

const reportEveryMs = 1000;

interface AgentParts {
  readonly url: string;
  readonly key: string;
  readonly n: number;
  readonly measurements: readonly string[];
}

/** Times of one reading, in ms. */
interface Timed {
  /** From a request to its answer. */
  readonly answerMs: number[];
  /** From the time at which a report was due to the answers of both of its requests. */
  readonly lateMs: number[];
}

export class ReportingAgent {
  readonly measurements: readonly string[];
  /** When it heard of the end of each, by `performance.now()`. */
  readonly receivedMs = new Map<string, number>();
  #timed: Timed = { answerMs: [], lateMs: [] };
  readonly #connection: KeptConnection;
  readonly #path: string;
  readonly #key: string;
  /** Those that it reports. */
  #measurements: readonly string[];
  #sent = 0;
  #isStopped = false;

  constructor({ url, key, n, measurements }: AgentParts) {
    this.measurements = measurements;
    this.#measurements = measurements;
    this.#connection = new KeptConnection(url);
    this.#path = agentPath(n);
    this.#key = key;
  }

  /** Resolves when it is stopped. Rejects when a report is refused. */
  async run(): Promise<void> {
    // Agents do not begin together.
    let dueMs = performance.now() + reportEveryMs * Math.random();
    while (!this.#isStopped) {
      await Bun.sleep(Math.max(0, dueMs - performance.now()));
      await this.#report();
      this.#timed.lateMs.push(performance.now() - dueMs);
      // As our agents do, it waits a second from the beginning of a report, or begins the next at once.
      dueMs = Math.max(dueMs + reportEveryMs, performance.now());
    }
    await this.#connection.close();
  }

  /** What has been timed since the last call. */
  take(): Timed {
    const timed = this.#timed;
    this.#timed = { answerMs: [], lateMs: [] };
    return timed;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #report(): Promise<void> {
    const details = { report_interval_ms: reportEveryMs };
    this.#hear(await this.#post("/health", { healthy: true, details }));
    this.#sent += 100;
    const progress = this.#measurements.map((id) => ({
      measurement_id: id,
      sent_probes: this.#sent,
      is_complete: false,
      is_stopped: this.receivedMs.has(id),
    }));
    await this.#post("/measurements/status", progress);
    // Said once, as by ours.
    this.#measurements = this.#measurements.filter((id) => !this.receivedMs.has(id));
  }

  #hear(text: string): void {
    for (const id of v.parse(healthAnswerSchema, JSON.parse(text)).cancelled) {
      if (!this.receivedMs.has(id)) {
        this.receivedMs.set(id, performance.now());
      }
    }
  }

  async #post(path: string, body: unknown): Promise<string> {
    const askedMs = performance.now();
    const { status, text } = await this.#connection.post(
      `${this.#path}${path}`,
      this.#key,
      JSON.stringify(body),
    );
    if (status !== 200) {
      throw new Error(`A report is answered ${status}: ${text}`);
    }
    this.#timed.answerMs.push(performance.now() - askedMs);
    return text;
  }
}
