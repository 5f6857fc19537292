/** Probe messages on their way to the intake, some at a time, in memory that is used again. */
import { probeMessageBytes } from "../../../lib/wire/probe-codec.ts";

/** As many as a small submission has, so that most need no second hand-over. */
const messagesMax = 256;

export class MessageBatch {
  readonly bytes = new Uint8Array(messagesMax * probeMessageBytes);
  readonly #take: (messages: Uint8Array) => void;
  #length = 0;

  constructor(take: (messages: Uint8Array) => void) {
    this.#take = take;
  }

  /** Where in `bytes` the next message goes. */
  room(): number {
    if (this.#length === this.bytes.length) {
      this.hand();
    }
    return this.#length;
  }

  /** The message at `room` is good. */
  added(): void {
    this.#length += probeMessageBytes;
  }

  hand(): void {
    if (this.#length > 0) {
      this.#take(this.bytes.subarray(0, this.#length));
      this.#length = 0;
    }
  }
}
