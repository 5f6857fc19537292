/** Where output goes: finished text stays, and on a terminal a live part below it is drawn over and over. */
import { writeSync } from "node:fs";

const standardOutput = 1;

export class Screen {
  readonly live: boolean;
  #drawnLines = 0;

  constructor(live: boolean) {
    this.live = live;
  }

  /** Prints for good, above the live part. */
  print(text: string): void {
    this.#erase();
    write(`${text}\n`);
  }

  /** Replaces the live part; cut to the size of the terminal, because what scrolls away cannot be drawn over. */
  draw(text: string): void {
    if (!this.live) {
      return;
    }
    this.#erase();
    const lines = text.split("\n").slice(0, Math.max(1, (process.stdout.rows ?? 24) - 2));
    const columns = process.stdout.columns ?? 80;
    write(`${lines.map((line) => cut(line, columns)).join("\n")}\n`);
    this.#drawnLines = lines.length;
  }

  clear(): void {
    this.#erase();
  }

  #erase(): void {
    if (this.#drawnLines > 0) {
      write(`\x1b[${this.#drawnLines}A\x1b[J`);
      this.#drawnLines = 0;
    }
  }
}

/** Cuts a line with its colours, which take no room. */
function cut(line: string, columns: number): string {
  return Bun.stringWidth(line) <= columns ? line : `${Bun.sliceAnsi(line, 0, columns - 1)}…`;
}

/** A reader that has gone away (a closed pipe) ends the program quietly. */
function write(text: string): void {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(standardOutput, bytes));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : "";
      if (code === "EPIPE") {
        process.exit(0);
      }
      if (code !== "EAGAIN") {
        throw error;
      }
    }
  }
}
