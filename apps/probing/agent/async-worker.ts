/**
 * The frame around a worker that waits for a broker: like worker-loop.ts, for loops that leave the event loop free.
 */
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import type { WorkerMessage } from "./engine/worker-messages.ts";

declare const self: Worker;

interface AsyncLoop<Order> {
  run(): Promise<void>;
  /** Called with every message after the start message. */
  hear?(order: Order): void;
}

/** Rate limit for failure texts: each one at most once in this time, and at most this many different ones. */
const repeatMs = 60_000;
const failureTextsMax = 16;

export function runAsyncWorker<Start, Order>(
  make: (start: Start, onFailure: (text: string) => void, say: (value: unknown) => void) => AsyncLoop<Order>,
): void {
  const post = (message: WorkerMessage) => self.postMessage(message);
  let told = new Set<string>();
  let toldSinceMs = 0;
  const onFailure = (text: string) => {
    if (performance.now() - toldSinceMs > repeatMs) {
      told = new Set();
      toldSinceMs = performance.now();
    }
    if (told.size < failureTextsMax && !told.has(text)) {
      told.add(text);
      post({ kind: "failure", text });
    }
  };
  self.onmessage = async (event: MessageEvent<Start>) => {
    try {
      const loop = make(event.data, onFailure, (value) => post({ kind: "custom", value }));
      self.onmessage = (order: MessageEvent<Order>) => loop.hear?.(order.data);
      post({ kind: "ready" });
      await loop.run();
      post({ kind: "ended", text: null });
    } catch (error) {
      post({ kind: "ended", text: systemReason(error) });
    }
  };
}
