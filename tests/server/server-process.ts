/**
 * A foreign server as a child process with a folder of its own.
 *
 * It can be stopped or killed, and started again with the same data and ports, as a server that was away.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BunFile, Subprocess } from "bun";

const startMsMax = 240_000;
const stopMsMax = 120_000;
const lookEveryMs = 20;
const complaintCharsMax = 2000;

interface ServerKind {
  /** For messages. */
  readonly name: string;
  /** Makes it go in order, as for an upgrade. */
  readonly stopSignal: NodeJS.Signals;
  /** Makes it go at once, as in a crash. */
  readonly killSignal: NodeJS.Signals;
}

export abstract class ServerProcess implements AsyncDisposable {
  /** Goes with the server. */
  protected readonly folder: string;
  readonly #kind: ServerKind;
  #child: Subprocess | null = null;

  protected constructor(kind: ServerKind, folder: string) {
    this.#kind = kind;
    this.folder = folder;
  }

  protected abstract spawn(output: BunFile): Subprocess;

  /** Whether it serves clients. */
  protected abstract answers(): Promise<boolean>;

  /** Resolves when it serves clients; a server that cannot start leaves nothing behind. */
  protected async started(): Promise<this> {
    try {
      await this.startAgain();
      return this;
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Id of its first process; throws while it does not run. */
  get pid(): number {
    if (this.#child === null) {
      throw new Error(`${this.#kind.name} does not run`);
    }
    return this.#child.pid;
  }

  async startAgain(): Promise<void> {
    const output = join(this.folder, "output");
    const child = this.spawn(Bun.file(output));
    this.#child = child;
    const giveUpAtMs = performance.now() + startMsMax;
    while (!(await this.answers())) {
      if (child.exitCode !== null || performance.now() > giveUpAtMs) {
        const said = readFileSync(output, "utf8").slice(-complaintCharsMax);
        throw new Error(`Cannot start ${this.#kind.name}, exit code ${child.exitCode}: ${said}`);
      }
      await Bun.sleep(lookEveryMs);
    }
  }

  stop(): Promise<void> {
    return this.#end(this.#kind.stopSignal);
  }

  kill(): Promise<void> {
    return this.#end(this.#kind.killSignal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) {
      return;
    }
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), stopMsMax);
    await child.exited;
    clearTimeout(late);
  }
}
