/** Output to a stream: finished text stays; on a terminal a live part below it is redrawn. */
import { printed } from "./foreign-text.ts";
import { writeBytes, writeText } from "./output.ts";

/** Standard output or standard error, and its terminal's size. */
interface ScreenStream {
  readonly fd: number;
  readonly rows: number;
  readonly columns: number;
}

export class Screen {
  readonly live: boolean;
  readonly #stream: ScreenStream;
  #drawnLines = 0;

  constructor(live: boolean, stream: ScreenStream = process.stdout) {
    this.live = live;
    this.#stream = stream;
  }

  /** Prints permanently, above the live part. */
  print(text: string): void {
    this.#erase();
    writeText(this.#stream.fd, `${printed(text)}\n`);
  }

  /** Writes whole lines that are already safe, as from safe-pieces.ts. */
  write(lines: Uint8Array): void {
    this.#erase();
    writeBytes(this.#stream.fd, lines);
  }

  /** Replaces the live part; cut to the terminal's size, because lines that scrolled away cannot be redrawn. */
  draw(text: string): void {
    if (!this.live) {
      return;
    }
    this.#erase();
    const lines = printed(text)
      .split("\n")
      .slice(0, Math.max(1, (this.#stream.rows ?? 24) - 2));
    const columns = this.#stream.columns ?? 80;
    writeText(this.#stream.fd, `${lines.map((line) => cut(line, columns)).join("\n")}\n`);
    this.#drawnLines = lines.length;
  }

  clear(): void {
    this.#erase();
  }

  #erase(): void {
    if (this.#drawnLines > 0) {
      writeText(this.#stream.fd, `\x1b[${this.#drawnLines}A\x1b[J`);
      this.#drawnLines = 0;
    }
  }
}

/** Cuts a line to a number of columns; colour codes take none. */
function cut(line: string, columns: number): string {
  return Bun.stringWidth(line) <= columns ? line : `${Bun.sliceAnsi(line, 0, columns - 1)}…`;
}
