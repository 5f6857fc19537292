/** A Vantage process that is started again whenever it ends, as systemd does with our units. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { vantageCommand } from "../run/vantage-command.ts";

interface Order {
  readonly name: string;
  /** Behind `vantage`. */
  readonly args: readonly string[];
  /** What it says is kept here, in NAME.log. */
  readonly folder: string;
  readonly restartMs: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export class Supervised implements AsyncDisposable {
  readonly name: string;
  readonly #order: Order;
  #child: Subprocess;
  #isStopping = false;
  /** Kills asked for, and ends that nobody asked for: each is a fault of the product. */
  #kills = 0;
  #ends = 0;
  readonly #over: Promise<void>;

  constructor(order: Order) {
    this.name = order.name;
    this.#order = order;
    this.#child = this.#spawn();
    this.#over = this.#keepRunning();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** How often it has ended without being killed. */
  get crashes(): number {
    return this.#ends - this.#kills;
  }

  said(): string {
    return readFileSync(this.#logPath, "utf8");
  }

  /** Resolves when nothing of it runs any more. */
  async kill(): Promise<void> {
    this.#kills++;
    const child = this.#child;
    child.kill("SIGKILL");
    await child.exited;
  }

  /** At once: all that was to be seen has been seen. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    this.#child.kill("SIGKILL");
    await this.#over;
  }

  get #logPath(): string {
    return join(this.#order.folder, `${this.name}.log`);
  }

  async #keepRunning(): Promise<void> {
    for (;;) {
      await this.#child.exited;
      if (this.#isStopping) {
        return;
      }
      this.#ends++;
      await Bun.sleep(this.#order.restartMs);
      if (this.#isStopping) {
        return;
      }
      this.#child = this.#spawn();
    }
  }

  #spawn(): Subprocess {
    const log = openSync(this.#logPath, "a");
    const { args, environment = {} } = this.#order;
    const child = Bun.spawn([...vantageCommand, ...args], {
      env: { ...process.env, ...environment },
      stdin: "ignore",
      stdout: log,
      stderr: log,
    });
    closeSync(log);
    return child;
  }
}
