import { afterEach, expect, spyOn, test } from "bun:test";
import { runWorker } from "./worker-loop.ts";
import type { WorkerMessage } from "./worker-messages.ts";

declare const self: Worker;

const post = spyOn(self, "postMessage");
afterEach(() => {
  post.mockRestore();
  self.onmessage = null;
});

test("a worker reports its end after releasing everything: it may be terminated then", () => {
  const steps: string[] = [];
  post.mockImplementation((message: WorkerMessage) => void steps.push(message.kind));
  runWorker(() => ({
    run: () => void steps.push("run"),
    [Symbol.dispose]: () => void steps.push("disposed"),
  }));
  self.dispatchEvent(new MessageEvent("message", { data: null }));
  expect(steps).toEqual(["ready", "run", "disposed", "ended"]);
});
