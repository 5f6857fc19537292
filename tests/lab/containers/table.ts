/** What the lab has done, as it goes and as one table at the end. */

interface Step {
  readonly name: string;
  readonly seconds: number;
  /** Null: as it should be. */
  readonly failure: string | null;
}

/** A step failed that all that follows stands on. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}

export class Table {
  readonly #print: (line: string) => void;
  readonly #steps: Step[] = [];
  readonly #figures: string[] = [];
  readonly #startedMs = performance.now();

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  get failed(): number {
    return this.#steps.filter(({ failure }) => failure !== null).length;
  }

  /** Null where it failed. */
  async tryStep<Value>(name: string, work: () => Promise<Value>): Promise<Value | null> {
    const startedMs = performance.now();
    let failure: string | null = null;
    let value: Value | null = null;
    try {
      value = await work();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    const step = { name, seconds: (performance.now() - startedMs) / 1000, failure };
    this.#steps.push(step);
    this.#print(rowOf(step));
    if (failure !== null) {
      this.#print(failure);
    }
    return value;
  }

  /** Rejects with Stopped where it failed. */
  async step<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.failed;
    const value = await this.tryStep(name, work);
    if (this.failed > before) {
      throw new Stopped(`Stopped at: ${name}`);
    }
    return value as Value;
  }

  /** A line below the table. */
  figure(line: string): void {
    this.#figures.push(line);
    this.#print(line);
  }

  printAll(): void {
    const seconds = (performance.now() - this.#startedMs) / 1000;
    const lines = ["", "seconds  ok   step", ...this.#steps.map(rowOf), "", ...this.#figures, ""];
    const passed = this.#steps.length - this.failed;
    [...lines, `${Math.round(seconds)} s in all`, `${passed} passed, ${this.failed} failed`].forEach(
      this.#print,
    );
  }
}

function rowOf({ name, seconds, failure }: Step): string {
  return `${seconds.toFixed(1).padStart(7)}  ${failure === null ? "ok " : "NO "}  ${name}`;
}
