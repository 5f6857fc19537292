/** Daemons of the lab: each in its namespace, ended with this process, what it says kept in a file. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { type RpkiCache, readCaches } from "../../lib/peering/bird/caches.ts";
import { askBird, orderBird } from "../../lib/peering/bird/control.ts";
import { type Route, readRoutes } from "../../lib/peering/bird/routes.ts";
import { type BirdSession, readSessions } from "../../lib/peering/bird/sessions.ts";
import { InVain, until } from "./until.ts";

const path = `${process.env.PATH ?? ""}:/usr/sbin:/sbin:/usr/lib/frr`;

export class Daemon implements AsyncDisposable {
  readonly #child: Subprocess;
  readonly #log: string;

  /** `command` as it is run, namespace included. */
  constructor(name: string, folder: string, command: readonly string[]) {
    this.#log = join(folder, `${name}.log`);
    const log = openSync(this.#log, "w");
    const env = { ...process.env, PATH: path };
    this.#child = Bun.spawn([...command], { cwd: folder, env, stdin: "ignore", stdout: log, stderr: log });
    closeSync(log);
  }

  /** What it has said so far. */
  said(): string {
    return readFileSync(this.#log, "utf8");
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Whether it still runs; a daemon that has ended will never do what is waited for. */
  mustRun(): void {
    if (this.#child.exitCode !== null) {
      throw new InVain(`A daemon has ended:\n${this.said()}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

export class Bird implements AsyncDisposable {
  readonly socket: string;
  readonly #daemon: Daemon;

  private constructor(socket: string, daemon: Daemon) {
    this.socket = socket;
    this.#daemon = daemon;
  }

  /** `within` makes the command line of the namespace. Waits until it answers. */
  static async start(
    name: string,
    {
      folder,
      file,
      within,
      program = "bird",
    }: { folder: string; file: string; within: (command: string[]) => string[]; program?: string },
  ): Promise<Bird> {
    const socket = join(folder, `${name}.ctl`);
    const command = within([program, "-f", "-c", file, "-s", socket, "-P", join(folder, `${name}.pid`)]);
    const bird = new Bird(socket, new Daemon(name, folder, command));
    await until(`BIRD of ${name}`, async () => {
      bird.#daemon.mustRun();
      return (await bird.ask("show status")).length > 0;
    });
    return bird;
  }

  said(): string {
    return this.#daemon.said();
  }

  /** Whatever it is: tests have BIRD do things by it, too. */
  async ask(command: string): Promise<string[]> {
    return (await orderBird(this.socket, command)).map(({ text }) => text);
  }

  async routes(which: string): Promise<Route[]> {
    return readRoutes(await askBird(this.socket, `show route ${which} all`));
  }

  /** Whether the prefix itself is in the table. */
  async hears(prefix: string): Promise<boolean> {
    return (await this.routes(`where net = ${prefix}`)).length > 0;
  }

  async sessions(): Promise<BirdSession[]> {
    return readSessions(await askBird(this.socket, "show protocols all"));
  }

  async caches(): Promise<RpkiCache[]> {
    return readCaches(await askBird(this.socket, "show protocols all"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#daemon[Symbol.asyncDispose]();
  }
}
