/** The frame around a worker's loop: start message in, `ready`, failures and `ended` out. */
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { WorkerMessage } from "./worker-messages.ts";

declare const self: Worker;

/** What a worker runs; `run` blocks its thread until the stop flag is set. */
interface Loop extends Disposable {
  run(): void;
}

/** A text is reported once, and at most this many: failures repeat. */
const failureTextsMax = 16;

export function runWorker<Start>(make: (start: Start, onFailure: (text: string) => void) => Loop): void {
  const reported = new Set<string>();
  const post = (message: WorkerMessage) => self.postMessage(message);
  const onFailure = (text: string) => {
    if (reported.size < failureTextsMax && !reported.has(text)) {
      reported.add(text);
      post({ kind: "failure", text });
    }
  };
  self.onmessage = (event: MessageEvent<Start>) => {
    try {
      runOnce(() => make(event.data, onFailure), post);
      // Sent only after all resources are released: the engine then terminates this thread.
      post({ kind: "ended", text: null });
    } catch (error) {
      post({ kind: "ended", text: systemReason(error) });
    }
  };
}

function runOnce(make: () => Loop, post: (message: WorkerMessage) => void): void {
  using loop = make();
  post({ kind: "ready" });
  loop.run();
}
