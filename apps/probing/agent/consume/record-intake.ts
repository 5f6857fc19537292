/** Turns the broker's records into jobs; bad, foreign, refused and repeated ones are dropped here. */
import type { IncomingRecord } from "../../../../lib/engines/broker/broker.ts";
import type { Prefix } from "../../../../lib/net/ip/prefix.ts";
import type { ConsumerCounter } from "../agent-counters.ts";
import type { Counters } from "../engine/counters.ts";
import { DeadLetters } from "./dead-letters.ts";
import type { PartitionQueue } from "./partition-queue.ts";
import type { ProbeJob } from "./probe-job.ts";
import type { ProgressLedger } from "./progress-ledger.ts";
import { SourceRules } from "./source-rules.ts";
import { namesOf, readTargetRecord, type TargetRecordResult } from "./target-record.ts";

interface RecordIntakeParts {
  readonly agentId: string;
  readonly stateDir: string;
  readonly prefixes: readonly (readonly Prefix[])[];
  readonly allowsDns: boolean;
  readonly counters: Counters<ConsumerCounter>;
  readonly ledger: ProgressLedger;
  readonly onFailure: (text: string) => void;
}

export class RecordIntake {
  readonly #parts: RecordIntakeParts;
  readonly #deadLetters: DeadLetters;
  #rules: SourceRules;

  constructor(parts: RecordIntakeParts) {
    this.#parts = parts;
    this.#deadLetters = new DeadLetters(parts.stateDir);
    this.#rules = new SourceRules(parts.prefixes);
  }

  /** `prefixes` of each instance, in the order of the configuration. Records already read keep their source. */
  setSources(prefixes: readonly (readonly Prefix[])[]): void {
    this.#rules = new SourceRules(prefixes);
  }

  /** Null, and counted, when there is nothing to send. */
  jobOf(record: IncomingRecord, queue: PartitionQueue, nowMs: number): ProbeJob | null {
    const { agentId, allowsDns, counters, ledger } = this.#parts;
    const result = readTargetRecord(record, agentId, { sources: this.#rules, allowsDns });
    counters.add("record_bytes", record.value.length);
    if (result.kind === "ours") {
      return ledger.admit(result.record, queue, nowMs);
    }
    counters.add(`records_${result.kind}`, 1);
    if (result.kind !== "foreign") {
      this.#setAside(record, result, nowMs);
    }
    return null;
  }

  #setAside(
    record: IncomingRecord,
    result: TargetRecordResult & { readonly kind: "bad" | "refused" },
    nowMs: number,
  ): void {
    const { ledger, onFailure } = this.#parts;
    this.#deadLetters.add(record, result.reason);
    const where = `${record.topic}/${record.partition} at ${record.offset}`;
    const named = namesOf(result);
    onFailure(`Skipped a record (${[where, ...named].join(", ")}): ${result.reason}`);
    if (result.measurementId !== null) {
      ledger.fail(result.measurementId, result.reason, nowMs);
    }
  }
}
