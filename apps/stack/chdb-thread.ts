/** The process's side of one ClickHouse thread: one request at a time, each with its answer. */
import type { GuestRequest, ThreadAnswer, ThreadRequest } from "./chdb-messages.ts";

/** A statement that ClickHouse refused; `number` is ClickHouse's error number. */
export class StatementError extends Error {
  override readonly name = "StatementError";
  readonly number: number;

  constructor(message: string, number: number) {
    super(message);
    this.number = number;
  }
}

/** What a thread is for: the store's own statements, or those of readers. */
type ThreadKind = "store" | "guests";

export class ChdbThread<Request extends { readonly kind: string } = ThreadRequest> {
  readonly #worker: Worker;
  #waiting: PromiseWithResolvers<ThreadAnswer> | null = null;

  private constructor(kind: ThreadKind) {
    this.#worker =
      kind === "store"
        ? new Worker(new URL("./chdb-worker.ts", import.meta.url))
        : new Worker(new URL("./chdb-guest-worker.ts", import.meta.url));
    this.#worker.addEventListener("message", ({ data }: MessageEvent<ThreadAnswer>) => {
      const waiting = this.#waiting;
      this.#waiting = null;
      if (data.kind === "failed") {
        waiting?.reject(new StatementError(data.message, data.number));
      } else {
        waiting?.resolve(data);
      }
    });
    this.#worker.addEventListener("error", (event) => {
      this.#waiting?.reject(new Error(`A ClickHouse thread failed: ${event.message}`));
    });
  }

  /** Rejects with the reason when the directory cannot be opened. */
  static open(directory: string): Promise<ChdbThread> {
    return ChdbThread.#opened(new ChdbThread<ThreadRequest>("store"), directory);
  }

  /** As `open`, for statements of readers. */
  static openForGuests(directory: string): Promise<ChdbThread<GuestRequest>> {
    return ChdbThread.#opened(new ChdbThread<GuestRequest>("guests"), directory);
  }

  static async #opened<Kind extends { readonly kind: string }>(
    thread: ChdbThread<Kind>,
    directory: string,
  ): Promise<ChdbThread<Kind>> {
    try {
      await thread.#post({ kind: "open", directory });
      return thread;
    } catch (error) {
      thread.#worker.terminate();
      throw error;
    }
  }

  /** Rejects with StatementError when ClickHouse refuses; `transfer` are buffers that move to the thread. */
  ask(request: Request, transfer: ArrayBuffer[] = []): Promise<ThreadAnswer> {
    return this.#post(request, transfer);
  }

  #post(request: object, transfer: ArrayBuffer[] = []): Promise<ThreadAnswer> {
    if (this.#waiting !== null) {
      throw new Error("Cannot ask a ClickHouse thread that is at work");
    }
    this.#waiting = Promise.withResolvers<ThreadAnswer>();
    this.#worker.postMessage(request, transfer);
    return this.#waiting.promise;
  }

  async close(): Promise<void> {
    await this.#post({ kind: "close" });
    this.#worker.terminate();
  }
}
