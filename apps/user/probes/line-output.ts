/** Lines to a file descriptor, gathered into large writes. Waits for a slow reader; detects a closed pipe. */
import { writeSync } from "node:fs";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { writeBytes } from "./limits.ts";

/** How long to wait before retrying a full, non-blocking pipe. */
const retryMs = 2;

export class LineOutput {
  readonly #fd: number;
  #text = "";
  /** Nothing more can be written: the reader has closed its end, or there is a `failure`. */
  closed = false;
  /** The system's error as text, except for a closed pipe. */
  failure: string | null = null;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Whether `flush` is due. */
  get isFull(): boolean {
    return this.#text.length >= writeBytes;
  }

  add(line: string): void {
    this.#text += `${line}\n`;
  }

  /** Writes what was gathered; what cannot be written sets `closed`. */
  async flush(): Promise<void> {
    let rest: Uint8Array = Buffer.from(this.#text);
    this.#text = "";
    while (rest.length > 0 && !this.closed) {
      rest = rest.subarray(await this.#write(rest));
    }
  }

  async #write(bytes: Uint8Array): Promise<number> {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      if (code === "EAGAIN") {
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        return 0;
      }
      this.closed = true;
      this.failure = code === "EPIPE" ? null : systemReason(error);
      return 0;
    }
  }
}
