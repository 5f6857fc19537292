/**
 * The way to the broker: what is heard is first kept in the state folder, then published, then marked as published.
 * What a kill leaves unmarked is published again at the next start: no row is missing, the last may be there twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Broker, OutgoingRecord } from "../../lib/broker/broker.ts";
import { systemReason } from "../../lib/failure/system-reason.ts";
import { updatesTopic } from "../../lib/wire/target-header.ts";
import type { KeptEntry, KeptRoutes } from "./kept-routes.ts";
import { flushMs, pendingBytesMax, recordBytes, retryMs } from "./limits.ts";

interface OutboxParts {
  readonly broker: Broker;
  readonly kept: KeptRoutes;
  /** Entries of all that stands, for a file that has grown too large. */
  readonly standing: () => Iterable<KeptEntry>;
  /** Hears of a trouble once, and with null when it is over. */
  readonly tell: (trouble: string | null) => void;
}

/** An update on its way: updates of one key keep their order. */
export type Outgoing = KeptEntry & { readonly key: string };

export class Outbox {
  readonly counts = { published: 0, failures: 0 };
  readonly #parts: OutboxParts;
  #pending: Outgoing[] = [];
  #bytes = 0;
  #trouble: string | null = null;
  #room: PromiseWithResolvers<void> | null = null;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  get pending(): number {
    return this.#pending.length;
  }

  get trouble(): string | null {
    return this.#trouble;
  }

  add(entry: Outgoing): void {
    this.#pending.push(entry);
    this.#bytes += entry.kind === "update" ? entry.message.length : 0;
  }

  /** Resolves when less waits than the limit. */
  async room(): Promise<void> {
    while (this.#bytes > pendingBytesMax) {
      this.#room ??= Promise.withResolvers<void>();
      await this.#room.promise;
    }
  }

  /** Until the signal; then what waits is published once more, if the broker takes it. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.#flush(stop);
      await sleep(flushMs, undefined, { signal: stop }).catch(() => {});
    }
    await this.#flush(stop);
  }

  /** Publishes what an earlier run has kept and not marked. */
  async again(entries: readonly Outgoing[], stop: AbortSignal): Promise<void> {
    await this.#publish(entries, stop);
  }

  async #flush(stop: AbortSignal): Promise<void> {
    const { kept, standing } = this.#parts;
    const entries = this.#pending;
    if (entries.length === 0) {
      return;
    }
    this.#pending = [];
    this.#bytes = 0;
    kept.append(entries);
    if (await this.#publish(entries, stop)) {
      kept.append([{ kind: "published" }]);
      if (kept.isLarge && this.#pending.length === 0) {
        kept.rewrite(standing());
      }
    }
    this.#room?.resolve();
    this.#room = null;
  }

  /** Whether the broker has all of them. */
  async #publish(entries: readonly Outgoing[], stop: AbortSignal): Promise<boolean> {
    const records = recordsOf(entries);
    for (;;) {
      try {
        if (records.length > 0) {
          await this.#parts.broker.publish(updatesTopic, records);
        }
        this.counts.published += entries.length;
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

/** As few records as may be, each of one key. */
function recordsOf(entries: readonly Outgoing[]): OutgoingRecord[] {
  const records: OutgoingRecord[] = [];
  for (const [key, own] of Map.groupBy(entries, ({ key }) => key)) {
    let [messages, bytes]: [Uint8Array[], number] = [[], 0];
    const finish = () => {
      if (messages.length > 0) {
        records.push({ key, value: Buffer.concat(messages), headers: {} });
      }
      [messages, bytes] = [[], 0];
    };
    for (const entry of own) {
      if (entry.kind === "update") {
        if (bytes + entry.message.length > recordBytes) {
          finish();
        }
        messages.push(entry.message);
        bytes += entry.message.length;
      }
    }
    finish();
  }
  return records;
}
