/** The process's side of one ClickHouse thread: one request at a time, each with its answer. */
import type { ThreadAnswer, ThreadRequest } from "./chdb-messages.ts";

/** A statement that ClickHouse refused; `number` is ClickHouse's error number. */
export class StatementError extends Error {
  override readonly name = "StatementError";
  readonly number: number;

  constructor(message: string, number: number) {
    super(message);
    this.number = number;
  }
}

export class ChdbThread {
  readonly #worker = new Worker(new URL("./chdb-worker.ts", import.meta.url));
  #waiting: PromiseWithResolvers<ThreadAnswer> | null = null;

  private constructor() {
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
  static async open(directory: string): Promise<ChdbThread> {
    const thread = new ChdbThread();
    try {
      await thread.ask({ kind: "open", directory });
      return thread;
    } catch (error) {
      thread.#worker.terminate();
      throw error;
    }
  }

  /** Rejects with StatementError when ClickHouse refuses; `transfer` are buffers that move to the thread. */
  ask(request: ThreadRequest, transfer: ArrayBuffer[] = []): Promise<ThreadAnswer> {
    if (this.#waiting !== null) {
      throw new Error("Cannot ask a ClickHouse thread that is at work");
    }
    this.#waiting = Promise.withResolvers<ThreadAnswer>();
    this.#worker.postMessage(request, transfer);
    return this.#waiting.promise;
  }

  async close(): Promise<void> {
    await this.ask({ kind: "close" });
    this.#worker.terminate();
  }
}
