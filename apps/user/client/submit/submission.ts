/**
 * One run of `vantage client`, step by step: reads and checks every line, publishes, and optionally waits for agents.
 *
 * After an interruption, `summary` has the progress: published records cannot be withdrawn.
 */
import type { Screen } from "../../../../lib/base/terminal/screen.ts";
import type { Broker } from "../../../../lib/engines/broker/broker.ts";
import { BrokerError } from "../../../../lib/engines/broker/broker.ts";
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";
import type { ProbeSpool } from "../../../../lib/engines/submission/probe-spool.ts";
import { topicPartitions, topicRetentionMs } from "../../../../lib/net/wire/target-header.ts";
import type { ClientConfig } from "../config.ts";
import { badLinesShown, expiryMsMin, pollMs, silentAgentMs } from "../limits.ts";
import { aborted } from "../pause.ts";
import { type AgentProgress, AgentWatch } from "./agent-watch.ts";
import { checkIntake, type IntakeCount, readProbes } from "./intake.ts";
import type { Options } from "./options.ts";
import { agentLines, publishingLine, readingLine } from "./progress.ts";
import { Publisher } from "./publisher.ts";
import { lifeMs, recordMaker } from "./record-maker.ts";
import type { Summary } from "./summary.ts";

interface SubmissionOrder {
  readonly options: Options;
  readonly config: ClientConfig;
  readonly broker: Broker;
  readonly spool: ProbeSpool;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** Live lines are drawn no more often than this. */
const drawMs = 100;

export class Submission {
  readonly measurementId: string;
  outcome: Summary["outcome"] = "failed";
  readonly #order: SubmissionOrder;
  #read: IntakeCount = { probes: 0, bad: 0, bytes: 0 };
  #publisher: Publisher | null = null;
  #agents: readonly AgentProgress[] = [];
  #notAfterMs = 0;
  #drawnAtMs = 0;

  constructor(order: SubmissionOrder) {
    this.#order = order;
    this.measurementId = order.options.measurementId ?? crypto.randomUUID();
  }

  /**
   * Detects an unreachable broker before any line is typed. Rejects like the broker; returns early when interrupted.
   */
  async prepare(): Promise<void> {
    const { broker, config, screen, signal } = this.#order;
    const name = config.broker.topic;
    screen.draw("connecting to the broker");
    const ready = broker.ensureTopic({ name, partitions: topicPartitions, retentionMs: topicRetentionMs });
    await Promise.race([ready, aborted(signal)]);
    screen.clear();
  }

  /** Throws CommandError when lines are bad, or there are none. Returns early when interrupted. */
  async read(): Promise<void> {
    const { options, spool, screen, signal } = this.#order;
    this.#read = await readProbes({
      files: options.files,
      spool,
      shownMax: badLinesShown,
      onBad: (line) => screen.print(`vantage client: ${line}`),
      onProgress: (read) => this.#draw(() => readingLine(read)),
      signal,
    });
    screen.clear();
    if (!signal.aborted) {
      checkIntake(this.#read, options);
    }
  }

  /** Rejects like the broker. Returns early when interrupted. */
  async publish(): Promise<void> {
    const { options, config, broker, spool, screen, signal } = this.#order;
    const { topic } = config.broker;
    const expiryMs = options.expiryMs ?? Math.max(expiryMsMin, lifeMs(spool.probes));
    this.#notAfterMs = Date.now() + expiryMs;
    const { targets } = options;
    const { measurementId } = this;
    const order = { measurementId, targets, probes: spool.probes, notAfterMs: this.#notAfterMs };
    const maker = recordMaker(config, order);
    const onProgress = ({ probes }: Publisher) => this.#draw(() => publishingLine(probes, spool.probes));
    this.#publisher = new Publisher({ broker, topic, spool, maker, signal, onProgress });
    await this.#publisher.run();
    screen.clear();
    this.outcome = signal.aborted ? "interrupted" : "published";
  }

  /** Waits until all agents have finished, the measurement has expired, or the user interrupts. */
  async wait(): Promise<void> {
    const { broker, config, options, signal, screen } = this.#order;
    const { marks, partition } = this.#publisher ?? {};
    if (marks === undefined || partition === undefined || partition === null) {
      return;
    }
    const { topic } = config.broker;
    const { probes } = this.#read;
    const watch = new AgentWatch({ broker, topic, partition, marks, targets: options.targets, probes });
    const startedAtMs = Date.now();
    let drawn = "";
    this.outcome = "interrupted";
    while (!signal.aborted) {
      const note = await this.#look(watch);
      if (this.#agents.length > 0 && this.#agents.every(({ state }) => state === "finished")) {
        this.outcome = "finished";
        break;
      }
      if (Date.now() > this.#notAfterMs) {
        this.outcome = "expired";
        break;
      }
      const text = [...agentLines(this.#agents), ...note, ...this.#silence(startedAtMs)].join("\n");
      if (text !== drawn) {
        screen.draw(text);
        drawn = text;
      }
      await pause(pollMs, signal);
    }
    screen.clear();
  }

  /** Polls once; a temporarily unreachable broker does not end the wait. */
  async #look(watch: AgentWatch): Promise<string[]> {
    try {
      this.#agents = await watch.look(Date.now());
      return [];
    } catch (error) {
      if (error instanceof BrokerError && error.code === "unavailable") {
        return [`${error.message}; still trying`];
      }
      throw error;
    }
  }

  #silence(startedAtMs: number): string[] {
    const silent = this.#agents.filter(({ state }) => state === "waiting").map(({ agent }) => agent);
    return silent.length === 0 || Date.now() < startedAtMs + silentAgentMs
      ? []
      : [`Nothing taken by ${silent.slice(0, 4).join(", ")}: does it run, on this broker, by this id?`];
  }

  summary(): Summary {
    const { options, config } = this.#order;
    return {
      measurementId: this.measurementId,
      topic: config.broker.topic,
      targets: options.targets,
      probes: this.#read.probes,
      skipped: this.#read.bad,
      published: this.#publisher?.probes ?? 0,
      records: this.#publisher?.records ?? 0,
      notAfterMs: this.#notAfterMs,
      agents: this.#agents,
      outcome: this.outcome,
    };
  }

  #draw(text: () => string): void {
    const nowMs = Date.now();
    if (this.#order.screen.live && nowMs >= this.#drawnAtMs + drawMs) {
      this.#drawnAtMs = nowMs;
      this.#order.screen.draw(text());
    }
  }
}
