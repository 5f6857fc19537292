/** The engine's side of one worker: start, stop flag, messages. */
import type { WorkerMessage } from "./worker-messages.ts";

/** Loading a worker takes some 20 ms; a machine under load, more. */
const readyTimeoutMs = 10_000;
const endTimeoutMs = 5_000;

export class WorkerHandle {
  readonly stopFlag = new SharedArrayBuffer(4);
  readonly failures: string[] = [];
  /** By itself or because it was stopped. */
  hasEnded = false;
  /** Called with the worker's own messages. */
  onSaid: (value: unknown) => void = () => {};
  readonly #worker: Worker;
  readonly #ended: Promise<void>;

  private constructor(worker: Worker) {
    this.#worker = worker;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise.then(() => {
      this.hasEnded = true;
    });
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
      if (data.kind === "failure") {
        this.failures.push(data.text);
      }
      if (data.kind === "custom") {
        this.onSaid(data.value);
      }
      if (data.kind === "ended") {
        this.failures.push(...(data.text === null ? [] : [data.text]));
        resolve();
      }
    });
    worker.addEventListener("error", (event) => {
      this.failures.push(`Worker failed: ${event.message}`);
      resolve();
    });
  }

  /**
   * Starts a worker with the message that `messageOf` makes from its stop flag; rejects with the worker's message when
   * it cannot run.
   */
  static async start(worker: Worker, messageOf: (stop: SharedArrayBuffer) => unknown): Promise<WorkerHandle> {
    const handle = new WorkerHandle(worker);
    const ready = new Promise<void>((resolve) => {
      worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
        if (data.kind === "ready") {
          resolve();
        }
      });
    });
    worker.postMessage(messageOf(handle.stopFlag));
    const started = Promise.race([ready.then(() => true), handle.#ended.then(() => false)]);
    if ((await within(started, readyTimeoutMs)) !== true) {
      worker.terminate();
      throw new Error(handle.failures[0] ?? "Cannot start a worker: it did not answer");
    }
    return handle;
  }

  /** Sends a message to a worker that accepts more than its start message. */
  tell(order: unknown): void {
    this.#worker.postMessage(order);
  }

  /** Writes the stop flag: 1 = end, unless the worker has more phases. */
  signal(phase: number): void {
    const flag = new Int32Array(this.stopFlag);
    Atomics.store(flag, 0, phase);
    Atomics.notify(flag, 0);
  }

  /** Stops the worker and waits for it; terminates it after `limitMs`. */
  async stop(limitMs = endTimeoutMs, phase = 1): Promise<void> {
    this.signal(phase);
    await within(this.#ended, limitMs);
    this.hasEnded = true;
    this.#worker.terminate();
  }
}

/** The promise's value, or undefined when it takes longer; leaves no timer behind that would keep the process up. */
async function within<Value>(promise: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), limitMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
