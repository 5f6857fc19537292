/**
 * Takes over the whole terminal and its keys until disposed of, and then restores the terminal, however it ended.
 *
 * Keys arrive one by one, without an echo; Ctrl-C is a key (`\x03`) like the others.
 */
import { printed } from "./foreign-text.ts";
import { writeText } from "./output.ts";

const standardOutput = 1;
const enter = "\x1b[?1049h\x1b[?25l";
const leave = "\x1b[?25h\x1b[?1049l";

export class FullScreen implements Disposable {
  readonly #onKeys: (data: Buffer) => void;
  readonly #onResize: () => void;
  readonly #leave = () => this[Symbol.dispose]();
  #isOpen = true;

  constructor(onKey: (key: string) => void, onResize: () => void) {
    this.#onKeys = (data) => keysOf(data.toString("latin1")).forEach(onKey);
    this.#onResize = onResize;
    process.stdin.setRawMode(true);
    process.stdin.resume();
    process.stdin.on("data", this.#onKeys);
    process.stdout.on("resize", this.#onResize);
    // An unexpected error ends the process too.
    process.on("exit", this.#leave);
    writeText(standardOutput, enter);
  }

  get rows(): number {
    return process.stdout.rows || 24;
  }

  get columns(): number {
    return process.stdout.columns || 80;
  }

  /** Cuts lines and columns beyond the terminal. */
  draw(lines: readonly string[]): void {
    const { rows, columns } = this;
    const cut = lines.slice(0, rows).map((line) => {
      const safe = printed(line);
      return `${Bun.stringWidth(safe) <= columns ? safe : Bun.sliceAnsi(safe, 0, columns)}\x1b[K`;
    });
    writeText(standardOutput, `\x1b[H${cut.join("\r\n")}\x1b[J`);
  }

  [Symbol.dispose](): void {
    if (this.#isOpen) {
      this.#isOpen = false;
      process.off("exit", this.#leave);
      process.stdout.off("resize", this.#onResize);
      process.stdin.off("data", this.#onKeys);
      process.stdin.setRawMode(false);
      process.stdin.pause();
      writeText(standardOutput, leave);
    }
  }
}

const escapeKey = "\x1b";

/** Letters, and the sequences of arrow keys; other sequences are dropped. */
function keysOf(text: string): string[] {
  const [letters = "", ...sequences] = text.split(escapeKey);
  const after = sequences.flatMap((sequence) =>
    /^\[[A-D]/.test(sequence) ? [escapeKey + sequence.slice(0, 2), ...sequence.slice(2)] : [],
  );
  return [...letters, ...after];
}
