/** Ends the engine's workers, which wait long when there is nothing to do: the stop flag alone does not wake them. */
import type { WakeUp } from "../../../../ffi/wake-up.ts";
import type { ProbeQueue } from "./probe-queue.ts";
import type { WorkerHandle } from "./worker-handle.ts";

const againMs = 20;

interface SenderParts {
  readonly worker: WorkerHandle | null;
  readonly queue: ProbeQueue;
}

interface ReceiverParts {
  readonly worker: WorkerHandle | null;
  readonly wakeUp: WakeUp;
}

/** Repeated, because a sender that has just read an unset stop flag starts to wait a moment later. */
export async function stopSender({ worker, queue }: SenderParts): Promise<void> {
  const ended = worker?.stop();
  queue.endWait();
  const timer = setInterval(() => queue.endWait(), againMs);
  try {
    await ended;
  } finally {
    clearInterval(timer);
  }
}

export async function stopReceiver({ worker, wakeUp }: ReceiverParts): Promise<void> {
  const ended = worker?.stop();
  wakeUp.wake();
  await ended;
  wakeUp[Symbol.dispose]();
}
