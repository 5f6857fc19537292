/**
 * What the stack says while it starts. On a terminal: a live line for each part. Elsewhere, plain lines: one as soon as
 * a part is ready, and one each second about those that are not.
 */
import { printErrorLine } from "../../lib/base/terminal/output.ts";
import { Screen } from "../../lib/base/terminal/screen.ts";

/** A person who waits wants to see within a second that something happens. */
const everyMs = 1000;

interface Part {
  /** What it does now. */
  step: string;
  readyAfterMs: number | null;
}

interface StartUpOptions {
  readonly parts: readonly string[];
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
}

export class StartUp implements Disposable {
  readonly #parts: ReadonlyMap<string, Part>;
  readonly #screen: Screen;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  constructor({ parts, isTerminal }: StartUpOptions) {
    this.#parts = new Map(parts.map((name) => [name, { step: "waits", readyAfterMs: null }]));
    this.#screen = new Screen(isTerminal, process.stderr);
    this.#timer = setInterval(() => this.#tick(), everyMs);
    this.#draw();
  }

  /** A part begins its next step, in words that follow its name: `makes its database`. */
  step(name: string, step: string): void {
    const part = this.#parts.get(name);
    if (part !== undefined && part.readyAfterMs === null) {
      part.step = step;
      this.#draw();
    }
  }

  ready(name: string): void {
    const part = this.#parts.get(name);
    if (part === undefined || part.readyAfterMs !== null) {
      return;
    }
    part.readyAfterMs = this.#elapsedMs();
    if (this.#screen.live) {
      this.#draw();
    } else {
      printErrorLine(`starting: ${name} is ready, after ${seconds(part.readyAfterMs)}`);
    }
  }

  /** A line that stays, above the live part. */
  say(line: string): void {
    this.#screen.clear();
    printErrorLine(line);
    this.#draw();
  }

  /** From then on lines are printed as they come. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#screen.clear();
  }

  #elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  #tick(): void {
    if (this.#screen.live) {
      this.#draw();
      return;
    }
    const waiting = [...this.#parts].filter(([, { readyAfterMs }]) => readyAfterMs === null);
    if (waiting.length > 0) {
      const doing = waiting.map(([name, { step }]) => `${name} ${step}`).join(", ");
      printErrorLine(`starting, ${seconds(this.#elapsedMs())}: ${doing}`);
    }
  }

  #draw(): void {
    if (this.#isOver) {
      return;
    }
    const width = Math.max(...[...this.#parts.keys()].map((name) => name.length));
    const lines = [...this.#parts].map(([name, { step, readyAfterMs }]) =>
      readyAfterMs === null
        ? `  ${name.padEnd(width)}  ${step} …`
        : `  ${name.padEnd(width)}  ready, after ${seconds(readyAfterMs)}`,
    );
    this.#screen.draw([`Starting, ${seconds(this.#elapsedMs())}`, ...lines].join("\n"));
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
