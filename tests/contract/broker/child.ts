/** A child process of a test: what it says, line by line, and its sudden end. */
import { join } from "node:path";

export class Child implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly #process;
  readonly #ended: Promise<void>;
  #complaint = "";

  constructor(script: "writer.ts" | "reader.ts", ...args: string[]) {
    this.#process = Bun.spawn([process.execPath, join(import.meta.dirname, script), ...args], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.#ended = this.#listen();
  }

  /** Throws with what the child complained of when it ends before. */
  async until(what: string, isThere: (lines: readonly string[]) => boolean): Promise<void> {
    const giveUpAt = performance.now() + 240_000;
    while (!isThere(this.lines)) {
      if (this.#process.exitCode !== null || performance.now() > giveUpAt) {
        throw new Error(`A child did not come to "${what}": ${this.lines.at(-1)} ${this.#complaint}`);
      }
      await Bun.sleep(5);
    }
  }

  /** kill -9, then all that it had said is in `lines`. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #listen(): Promise<void> {
    const complaint = new Response(this.#process.stderr).text();
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of this.#process.stdout) {
      const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      this.lines.push(...parts);
    }
    this.#complaint = await complaint;
    await this.#process.exited;
  }
}
