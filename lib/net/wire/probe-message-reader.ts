/**
 * Reads files of probe lines into `Probe` messages, as the spool and the broker hold them: plain lines without an
 * object for each (plain-line.ts), all others by the plain parser.
 */
import { type LineError, tooLongMessage } from "./line-error.ts";
import { isSkipped, LineReader } from "./line-reader.ts";
import { PlainLines } from "./plain-line.ts";
import { encodeProbeInto, probeMessageBytes } from "./probe-codec.ts";
import { parseProbeLine } from "./probe-line.ts";

interface MessageHandlers {
  /** Messages of the probes that were read, in order; valid until the call returns. */
  readonly onMessages: (messages: Uint8Array) => void;
  /** Called for each bad line; reading continues after it. */
  readonly onError: (error: LineError) => void;
}

/** Most messages passed on in a batch. */
const batchMessages = 1024;
const lineFeed = 0x0a;

/** `push` each chunk of the file, then `finish` once. Handlers are called from within, before the call returns. */
export class ProbeMessageReader {
  readonly #handlers: MessageHandlers;
  readonly #plain = new PlainLines();
  readonly #lines: LineReader;
  readonly #batch = new Uint8Array(batchMessages * probeMessageBytes);
  #bytes = 0;

  /** `source` is the name of the file in errors. */
  constructor(source: string, handlers: MessageHandlers) {
    this.#handlers = handlers;
    this.#lines = new LineReader({
      onLine: (text, line) => {
        const result = parseProbeLine(text);
        if (result.ok) {
          const message = this.#batch.subarray(this.#bytes, this.#bytes + probeMessageBytes);
          encodeProbeInto(result.probe, message.fill(0));
          this.#added();
        } else {
          handlers.onError({ source, line, reason: result.reason, message: result.message });
        }
      },
      onLong: (bytes, line) => {
        handlers.onError({ source, line, reason: "tooLong", message: tooLongMessage(bytes) });
      },
    });
  }

  push(chunk: Uint8Array): void {
    let at = this.#lines.isAtStart ? 0 : this.#slowly(chunk, 0);
    while (at < chunk.length) {
      const next = this.#plain.read(chunk, at, this.#batch, this.#bytes);
      if (next < 0) {
        at = this.#slowly(chunk, at);
      } else {
        this.#lines.skipLine();
        this.#added();
        at = next;
      }
    }
    this.#hand();
  }

  finish(): void {
    this.#lines.finish();
    this.#hand();
  }

  /** Reads one line, or the chunk's part of it; returns where the next one starts. */
  #slowly(chunk: Uint8Array, from: number): number {
    const end = chunk.indexOf(lineFeed, from);
    const next = end < 0 ? chunk.length : end + 1;
    if (end >= 0 && this.#lines.isAtStart && isSkipped(chunk, from, end)) {
      this.#lines.skipLine();
      return next;
    }
    this.#lines.push(chunk.subarray(from, next));
    return next;
  }

  #added(): void {
    this.#bytes += probeMessageBytes;
    if (this.#bytes === this.#batch.length) {
      this.#hand();
    }
  }

  #hand(): void {
    if (this.#bytes > 0) {
      this.#handlers.onMessages(this.#batch.subarray(0, this.#bytes));
      this.#bytes = 0;
    }
  }
}
