/**
 * The outbox to the broker: updates are first kept in the state folder, then published, then marked as
 * published. Those that a kill leaves unmarked are published again at the next start: no row is missing, the
 * last may come twice.
 *
 * Waiting updates are in batches of a few megabytes, whose memory is reused: each is encoded once, and the
 * same bytes are kept and published.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import type { Broker, OutgoingRecord } from "../../../lib/engines/broker/broker.ts";
import type { RouteUpdate } from "../../../lib/net/wire/route-update.ts";
import { updatesTopic } from "../../../lib/net/wire/target-header.ts";
import { type FilePosition, KeptEntries } from "./kept-entries.ts";
import type { KeptRoutes } from "./kept-routes.ts";
import { batchBytes, flushMs, pendingBytesMax, recordBytes, retryMs } from "./limits.ts";
import { untilStopped } from "./until-stopped.ts";

interface OutboxParts {
  readonly broker: Broker;
  readonly kept: KeptRoutes;
  /** Entries of all that stands, for a file that has grown too large; each is valid until the next. */
  readonly standing: () => Iterable<KeptEntries>;
  readonly nowUs: () => bigint;
  /** Called once with a problem, and with null when it is over. */
  readonly tell: (trouble: string | null) => void;
}

export class Outbox {
  readonly counts = { published: 0, failures: 0 };
  readonly #parts: OutboxParts;
  /** Those that wait, and the one on its way: the first ones first. */
  readonly #batches: KeptEntries[] = [];
  /** The last of them, while there is room in it and it is not on its way. */
  #open: KeptEntries | null = null;
  #spare: KeptEntries | null = null;
  #trouble: string | null = null;
  #room: PromiseWithResolvers<void> | null = null;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Updates that wait. */
  get pending(): number {
    return this.#batches.reduce((sum, { updates }) => sum + updates, 0);
  }

  get trouble(): string | null {
    return this.#trouble;
  }

  /** Updates of one key keep their order. */
  add(key: string, pathId: number | null, update: RouteUpdate): void {
    this.#batch().addUpdate(key, pathId, update);
  }

  note(position: FilePosition): void {
    this.#batch().addPosition(position);
  }

  /** Resolves when fewer bytes wait than the limit. */
  async room(): Promise<void> {
    while (this.#batches.length > pendingBytesMax / batchBytes) {
      this.#room ??= Promise.withResolvers<void>();
      await this.#room.promise;
    }
  }

  /** Until the signal; then what waits is published once more, if the broker takes it. */
  async run(stop: AbortSignal): Promise<void> {
    await untilStopped(stop, flushMs, () => this.#flush(stop));
    await this.#flush(stop);
  }

  /** Publishes what an earlier run has kept and not marked. */
  async again(entries: KeptEntries, stop: AbortSignal): Promise<void> {
    await this.#publish(entries, stop);
  }

  #batch(): KeptEntries {
    if (this.#open === null || this.#open.length >= batchBytes) {
      this.#open = this.#spare ?? new KeptEntries();
      this.#spare = null;
      this.#batches.push(this.#open);
    }
    return this.#open;
  }

  async #flush(stop: AbortSignal): Promise<void> {
    const { kept, standing } = this.#parts;
    let isAway = false;
    for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) {
      if (batch === this.#open) {
        this.#open = null;
      }
      kept.append(batch);
      isAway = isAway || !(await this.#publish(batch, stop));
      this.#batches.shift();
      if (!isAway) {
        kept.mark();
      }
      batch.clear();
      this.#spare = batch;
      this.#room?.resolve();
      this.#room = null;
      if (!isAway && kept.isDue && this.#batches.length === 0) {
        kept.rewrite(standing(), this.#parts.nowUs());
      }
    }
  }

  /** Whether the broker has all of them. */
  async #publish(entries: KeptEntries, stop: AbortSignal): Promise<boolean> {
    const records = recordsOf(entries);
    for (;;) {
      try {
        if (records.length > 0) {
          await this.#parts.broker.publish(updatesTopic, records);
        }
        this.counts.published += entries.updates;
        this.#say(null);
        return true;
      } catch (error) {
        this.counts.failures++;
        this.#say(systemReason(error));
        if (stop.aborted) {
          return false;
        }
        await sleep(retryMs, undefined, { signal: stop }).catch(() => {});
      }
    }
  }

  #say(trouble: string | null): void {
    if ((trouble === null) !== (this.#trouble === null)) {
      this.#parts.tell(trouble);
    }
    this.#trouble = trouble;
  }
}

/** As few records as possible, each of one key. */
function recordsOf({ runs, bytes }: KeptEntries): OutgoingRecord[] {
  const records: OutgoingRecord[] = [];
  for (const [key, own] of Map.groupBy(runs, (run) => run.key)) {
    let pieces: Uint8Array[] = [];
    let length = 0;
    const finish = () => {
      if (pieces.length > 0) {
        records.push({ key, value: Buffer.concat(pieces), headers: {} });
      }
      pieces = [];
      length = 0;
    };
    for (const { start, end } of own) {
      if (length + end - start > recordBytes) {
        finish();
      }
      pieces.push(bytes.subarray(start, end));
      length += end - start;
    }
    finish();
  }
  return records;
}
