/** Probe lines read one by one: what `ProbeMessageReader`, which takes plain lines in bulk, is compared with. */
import type { Probe } from "../../lib/net/packet/probe.ts";
import { type LineError, tooLongMessage } from "../../lib/net/wire/line-error.ts";
import { LineReader } from "../../lib/net/wire/line-reader.ts";
import { parseProbeLine } from "../../lib/net/wire/probe-line.ts";

interface ProbeHandlers {
  /** Called for each probe, in the order of the lines. */
  readonly onProbe: (probe: Probe, line: number) => void;
  /** Called for each bad line; reading goes on after it. */
  readonly onError: (error: LineError) => void;
}

/** `push` each chunk of the file, then `finish` once. Handlers are called from within, before the call returns. */
export class ProbeLineReader {
  readonly #lines: LineReader;

  constructor(source: string, { onProbe, onError }: ProbeHandlers) {
    this.#lines = new LineReader({
      onLine: (text, line) => {
        const result = parseProbeLine(text);
        if (result.ok) {
          onProbe(result.probe, line);
        } else {
          onError({ source, line, reason: result.reason, message: result.message });
        }
      },
      onLong: (bytes, line) => {
        onError({ source, line, reason: "tooLong", message: tooLongMessage(bytes) });
      },
    });
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  finish(): void {
    this.#lines.finish();
  }
}
