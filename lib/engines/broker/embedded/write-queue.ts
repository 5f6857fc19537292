/** Concurrent writes share a transaction, and so one wait for the disk. */
import { BrokerError } from "../broker.ts";
import { transactionBytesMax } from "./limits.ts";
import type { LogConnection } from "./log-connection.ts";
import type { LogStatements } from "./log-statements.ts";

interface Write {
  readonly bytes: number;
  readonly run: (log: LogStatements) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class WriteQueue {
  readonly #what: string;
  readonly #connection: LogConnection;
  readonly #afterWrite: () => void;
  readonly #writes: Write[] = [];
  #draining: Promise<void> | null = null;
  #isClosed = false;

  /** `afterWrite` is called when a transaction is on disk. */
  constructor(what: string, connection: LogConnection, afterWrite: () => void) {
    this.#what = what;
    this.#connection = connection;
    this.#afterWrite = afterWrite;
  }

  /** Resolves to the result of `action` once it is on disk; in the order of the calls. */
  write<Result>(bytes: number, action: (log: LogStatements) => Result): Promise<Result> {
    if (this.#isClosed) {
      return Promise.reject(new BrokerError("closed", `Cannot ${this.#what}: the broker is closed`));
    }
    return new Promise((resolve, reject) => {
      let done = () => {};
      const run = (log: LogStatements) => {
        const result = action(log);
        done = () => resolve(result);
      };
      this.#writes.push({ bytes, run, resolve: () => done(), reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Finishes queued writes; accepts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#writes.length > 0) {
      // Concurrent writes join in.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#writeTogether(takeFirst(this.#writes));
    }
    this.#draining = null;
  }

  async #writeTogether(writes: readonly Write[]): Promise<void> {
    try {
      await this.#connection.transaction(this.#what, (log) => {
        for (const write of writes) {
          write.run(log);
        }
      });
    } catch (error) {
      for (const { reject } of writes) {
        reject(error);
      }
      return;
    }
    for (const { resolve } of writes) {
      resolve();
    }
    this.#afterWrite();
  }
}

/** At least one, and at most a transaction's worth. */
function takeFirst(writes: Write[]): Write[] {
  let bytes = 0;
  let count = 0;
  for (const write of writes) {
    bytes += write.bytes;
    if (count > 0 && bytes > transactionBytesMax) {
      break;
    }
    count++;
  }
  return writes.splice(0, count);
}
