/**
 * Measurements of a campaign without a gateway, published to agents through the broker like `vantage client` does.
 *
 * A measurement's id and expiry are in the journal before its first record is published. After a kill in between, the
 * same records are published again, and agents skip those that they have received.
 */
import { createHash } from "node:crypto";
import { type Broker, BrokerError } from "../../../../lib/engines/broker/broker.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { openStore } from "../../../../lib/engines/store/clickhouse/open.ts";
import { respondersOf } from "../../../../lib/engines/store/clickhouse/responders.ts";
import { ProbeSpool } from "../../../../lib/engines/submission/probe-spool.ts";
import { formatTarget, parseTargets } from "../../../../lib/engines/submission/targets.ts";
import type { StepMeasure } from "../../../probing/campaigns/campaign-services.ts";
import type { FileJournal } from "../../../probing/campaigns/file-journal.ts";
import { readProbeText } from "../../../probing/campaigns/probe-text.ts";
import type { ClientConfig } from "../config.ts";
import { storedMs } from "../limits.ts";
import { AgentWatch } from "../submit/agent-watch.ts";
import { PublishMarks } from "../submit/publish-marks.ts";
import { Publisher } from "../submit/publisher.ts";
import { lifeMs, recordMaker } from "../submit/record-maker.ts";

interface LocalOrder {
  readonly config: ClientConfig;
  readonly broker: Broker;
  readonly spoolDir: string;
  readonly journal: () => FileJournal;
  readonly signal: AbortSignal;
}

/** A measurement in the journal. */
interface Sending extends Readonly<Record<string, unknown>> {
  readonly notAfterMs: number;
  /** Null = not completely published. */
  readonly published: {
    readonly partition: number;
    readonly nextOffset: string;
    readonly probes: number;
  } | null;
  readonly agents: string;
}

type Order = Parameters<StepMeasure["submit"]>[0];

export class LocalMeasure implements StepMeasure {
  /** No rounds: gateways compute these. */
  readonly rounds = null;
  readonly #order: LocalOrder;
  readonly #watches = new Map<string, AgentWatch>();
  readonly #allInAtMs = new Map<string, number>();

  constructor(order: LocalOrder) {
    this.#order = order;
  }

  agents({ agents }: Pick<Order, "agents">): Promise<string[]> {
    return Promise.resolve(parseTargets(agents).map(formatTarget));
  }

  async submit({ key, agents, probes }: Order): Promise<string> {
    const { journal, signal, spoolDir, config, broker } = this.#order;
    const measurementId = measurementIdOf(key);
    using spool = ProbeSpool.nameless(spoolDir);
    readProbeText(probes, (messages) => spool.appendMessages(messages));
    spool.flush();
    const begun = (journal().book.notes.get(key) as Sending | undefined) ?? null;
    if (begun !== null && begun.published !== null) {
      return measurementId;
    }
    const notAfterMs = begun?.notAfterMs ?? Date.now() + lifeMs(spool.probes);
    if (Date.now() > notAfterMs) {
      throw problem(409, "expired", "It was begun, and not all of it published before it expired");
    }
    if (begun === null) {
      journal().note(key, { notAfterMs, published: null, agents } satisfies Sending);
    }
    const order = { measurementId, targets: parseTargets(agents), probes: spool.probes, notAfterMs };
    const maker = recordMaker(config, order);
    const { topic } = config.broker;
    const publisher = new Publisher({ broker, topic, spool, maker, signal, onProgress: () => {} });
    await publisher.run();
    const { partition, nextOffset } = publisher;
    if (publisher.probes < spool.probes || partition === null) {
      throw new Error("Interrupted before all of it was published; the next start continues");
    }
    const published = { partition, nextOffset: String(nextOffset), probes: spool.probes };
    journal().note(key, { notAfterMs, published, agents } satisfies Sending);
    this.#forgetOthers();
    return measurementId;
  }

  /** No-op: published records cannot be withdrawn. */
  cancel(): Promise<void> {
    return Promise.resolve();
  }

  /** Whether agents have consumed all of it, or may send no more. */
  async isEnded(measurementId: string): Promise<boolean> {
    const progress = await this.#look(measurementId);
    return (
      progress === "expired" || progress.every(({ state }) => state === "settling" || state === "finished")
    );
  }

  async areRepliesIn(measurementIds: readonly string[]): Promise<boolean> {
    const all = await Promise.all(measurementIds.map((id) => this.#isIn(id)));
    return all.every((isIn) => isIn);
  }

  async responders(measurementIds: readonly string[], atMost: number): Promise<string[]> {
    await using store = await openStore(this.#order.config.storeAddress);
    return await respondersOf(store, measurementIds, atMost);
  }

  /** Shortly after its agents have finished, because the store lags a little. */
  async #isIn(measurementId: string): Promise<boolean> {
    const progress = await this.#look(measurementId);
    const isFinished = progress === "expired" || progress.every(({ state }) => state === "finished");
    const atMs = this.#allInAtMs.get(measurementId) ?? Date.now();
    if (isFinished) {
      this.#allInAtMs.set(measurementId, atMs);
    }
    return isFinished && Date.now() >= atMs + storedMs;
  }

  async #look(measurementId: string) {
    const sending = this.#sendingOf(measurementId);
    if (sending === null || sending.published === null || Date.now() > sending.notAfterMs) {
      return "expired";
    }
    const watch = this.#watches.get(measurementId) ?? this.#watchOf(sending.agents, sending.published);
    this.#watches.set(measurementId, watch);
    try {
      return await watch.look(Date.now());
    } catch (error) {
      if (error instanceof BrokerError && error.code === "unavailable") {
        return [{ state: "waiting" as const }];
      }
      throw error;
    }
  }

  #watchOf(agents: string, { partition, nextOffset, probes }: NonNullable<Sending["published"]>): AgentWatch {
    const { broker, config } = this.#order;
    const marks = new PublishMarks();
    marks.add(BigInt(nextOffset), probes);
    return new AgentWatch({
      ...{ broker, topic: config.broker.topic, partition, marks, probes },
      targets: parseTargets(agents),
    });
  }

  /** Null for one whose run is over. */
  #sendingOf(measurementId: string): Sending | null {
    const { notes } = this.#order.journal().book;
    const known = [...notes].find(([key]) => measurementIdOf(key) === measurementId);
    return (known?.[1] as Sending | undefined) ?? null;
  }

  /** Ended runs need no state. */
  #forgetOthers(): void {
    const live = new Set([...this.#order.journal().book.notes.keys()].map(measurementIdOf));
    for (const known of [this.#watches, this.#allInAtMs]) {
      for (const id of known.keys()) {
        if (!live.has(id)) {
          known.delete(id);
        }
      }
    }
  }
}

/** The same for every attempt of a step: a UUID of version 8 (RFC 9562) from the hash of the key. */
function measurementIdOf(key: string): string {
  const hash = createHash("sha256").update(key).digest();
  hash.writeUInt8(((hash[6] ?? 0) & 0x0f) | 0x80, 6);
  hash.writeUInt8(((hash[8] ?? 0) & 0x3f) | 0x80, 8);
  return hash.toString("hex", 0, 16).replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
