/** Probe messages for the intake, some at a time, in reused memory. */
import { probeMessageBytes } from "../../../../lib/net/wire/probe-codec.ts";

/** A small submission's size, so that most need one batch only. */
const messagesMax = 256;

export class MessageBatch {
  readonly bytes = new Uint8Array(messagesMax * probeMessageBytes);
  readonly #take: (messages: Uint8Array) => void;
  #length = 0;

  constructor(take: (messages: Uint8Array) => void) {
    this.#take = take;
  }

  /** Offset in `bytes` of the next message. */
  room(): number {
    if (this.#length === this.bytes.length) {
      this.hand();
    }
    return this.#length;
  }

  /** Accepts the message at `room`. */
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
