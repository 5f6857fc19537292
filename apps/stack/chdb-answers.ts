/** What the threads with a connection to ClickHouse have in common: how they answer, and a query block by block. */
import { ChdbError, type ChdbResult } from "../../ffi/chdb.ts";
import { systemReason } from "../../lib/base/failure/system-reason.ts";
import type { ThreadAnswer } from "./chdb-messages.ts";

declare const self: Worker;

const nothing = new Uint8Array(0);

/** Each request gets one answer; `onFailure` clears up what a failed one leaves. */
export function serveRequests<Request>(
  answerTo: (request: Request) => ThreadAnswer,
  onFailure: () => void,
): void {
  self.onmessage = ({ data: request }: MessageEvent<Request>) => {
    try {
      const answer = answerTo(request);
      const hasBytes = "bytes" in answer && answer.bytes.length > 0;
      self.postMessage(answer, hasBytes ? [answer.bytes.buffer as ArrayBuffer] : []);
    } catch (error) {
      onFailure();
      const number = error instanceof ChdbError ? error.number : 0;
      self.postMessage({ kind: "failed", message: systemReason(error), number } satisfies ThreadAnswer);
    }
  };
}

export function done(rows: number, bytes: Uint8Array = nothing): ThreadAnswer {
  return { kind: "done", bytes, rows };
}

/** The query that a thread is in the middle of. */
export class OpenQuery {
  #blocks: Generator<ChdbResult, void> | null = null;
  #onEnd: () => void = () => undefined;

  /** `onEnd` is called once, however it ends. Returns the first block. */
  begin(blocks: Generator<ChdbResult, void>, onEnd: () => void): ThreadAnswer {
    [this.#blocks, this.#onEnd] = [blocks, onEnd];
    return this.next();
  }

  next(): ThreadAnswer {
    const next = this.#blocks?.next();
    if (next?.value !== undefined) {
      return { kind: "block", bytes: next.value.bytes };
    }
    this.end();
    return { kind: "end" };
  }

  end(): void {
    const ended = this.#blocks;
    this.#blocks = null;
    if (ended !== null) {
      ended.return();
      this.#onEnd();
    }
  }
}
