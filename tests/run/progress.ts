/** How far the run is: one line that is written anew on a terminal, and a line now and then in a log. */
import type { JobResult } from "./run-job.ts";

const logEveryMs = 60_000;

export class Progress {
  readonly #write: (text: string) => void;
  readonly #isTerminal: boolean;
  #all = 0;
  #done = 0;
  #failures = 0;
  #loggedAt = performance.now();
  #line = "";

  constructor(write: (text: string) => void, isTerminal: boolean) {
    this.#write = write;
    this.#isTerminal = isTerminal;
  }

  begin(jobs: number): void {
    this.#all = jobs;
    this.#done = 0;
  }

  done(result: JobResult, secondsLeft: number): void {
    this.#done += 1;
    this.#failures += result.failed;
    const end = new Date(Date.now() + secondsLeft * 1000).toTimeString().slice(0, 5);
    const expected = this.#done === this.#all ? "" : `, end expected at ${end}`;
    const failures = this.#failures === 1 ? "1 failure" : `${this.#failures} failures`;
    this.#show(`${this.#done} of ${this.#all} files and checks done, ${failures}${expected}`);
  }

  /** Text that stays, above the line. */
  print(text: string): void {
    if (this.#line === "") {
      this.#write(text);
    } else {
      this.#write(`${clear}${text}${this.#line}`);
    }
  }

  end(): void {
    this.#write(this.#line === "" ? "" : "\n");
    this.#line = "";
  }

  #show(line: string): void {
    if (this.#isTerminal) {
      this.#line = line;
      this.#write(`${clear}${line}`);
    } else if (this.#done === this.#all || performance.now() - this.#loggedAt >= logEveryMs) {
      this.#loggedAt = performance.now();
      this.#write(`${line}\n`);
    }
  }
}

/** To the line's begin, and nothing behind it. */
const clear = "\r\x1b[K";
