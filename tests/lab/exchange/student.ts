/**
 * A student at `vantage stack --exchange`, in this process's own namespaces (alone.ts): what such a person types and
 * leaves running.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { approveDevice } from "../../issuer/device-login.ts";
import { runToEnd, saidUpTo } from "../../run/said.ts";

export const gatewayUrl = "http://127.0.0.1:8093/";
export const inside = ["ip", "netns", "exec", "vantage-user"];
const ceilingMs = 60_000;

/** The AS that passes a route on, and the path by which it has it. */
type Seen = readonly (readonly [asn: number, path: string])[];

export class Student implements AsyncDisposable {
  readonly folder: string;
  readonly platform: string;
  /** What the stack has printed at its start. */
  welcome = "";
  /** What was leased. */
  prefix = "";
  readonly #vantage: readonly string[];
  readonly #stack;
  readonly #running: { readonly exited: Promise<number>; readonly kill: (signal: "SIGTERM") => void }[] = [];

  /** `folder`: an empty one; `vantage`: how to start the program; `more`: variables of the platform. */
  constructor(folder: string, vantage: readonly string[], more: Readonly<Record<string, string>> = {}) {
    this.folder = folder;
    this.platform = join(folder, "platform");
    this.#vantage = vantage;
    this.#stack = this.spawn([...vantage, "stack", "--exchange", "--dir", this.platform], more);
  }

  spawn(command: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const env = { ...this.#environment, ...more };
    return Bun.spawn([...command], {
      ...{ env, cwd: this.folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
  }

  /** Until the student leaves. */
  keep(command: readonly string[], more: Readonly<Record<string, string>> = {}): void {
    this.#running.unshift(this.spawn(command, more));
  }

  get #environment() {
    return {
      PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
      HOME: this.folder,
      XDG_CONFIG_HOME: join(this.folder, "config"),
    };
  }

  /** What a command prints. Rejects with what it says when it fails. */
  async said(command: readonly string[]): Promise<string> {
    const { stdout, stderr, exitCode } = await runToEnd(command, {
      env: this.#environment,
      cwd: this.folder,
    });
    if (exitCode !== 0) {
      throw new Error(`${command.join(" ")}: ${stderr}`);
    }
    return stdout;
  }

  run(...args: string[]): Promise<string> {
    return this.said([...this.#vantage, ...args]);
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  /** Login, lease, tunnel, router: until a route is announced is up to who waits for it. */
  async begin(): Promise<void> {
    this.welcome = await saidUpTo(this.#stack.stdout, "first-announcement.md");
    await this.#logIn();
    await this.run("peering", "asn");
    await this.run("peering", "prefix", "request", "24");
    [{ prefix: this.prefix }] = JSON.parse(await this.run("peering", "prefix", "list", "-o", "json"));
    await this.run("stack", "join", "--dir", this.platform);
    await this.#startRouter();
  }

  async #logIn(): Promise<void> {
    const login = this.spawn([...this.#vantage, "login", "--gateway", gatewayUrl, "--profile", "exchange"]);
    const decoder = new TextDecoder();
    let text = "";
    for await (const part of login.stderr) {
      text += decoder.decode(part, { stream: true });
      const [, url] = /or open +(\S+)/.exec(text) ?? [];
      if (url !== undefined) {
        text = "";
        await approveDevice(url, "anna");
      }
    }
    await login.exited;
  }

  async #startRouter(): Promise<void> {
    const file = this.at("bootstrap.yaml");
    const [config, socket] = [this.at("bird.conf"), this.at("bird.ctl")];
    mkdirSync(this.at("snippets"));
    writeFileSync(
      file,
      `platform: {asn: 64500}
vpn: {socket: ${this.platform}/exchange/tailscaled.sock}
daemon: {config_file: ${config}, snippets_dir: ${this.at("snippets")}, control_socket: ${socket}}
bootstrap: {state_dir: ${this.at("state")}, address: "100.64.0.2:8092", interval_sec: 1}
gateway: {profile: exchange}
`,
    );
    this.keep([...inside, ...this.#vantage, "bootstrap", "run", "-c", file]);
    await until("BIRD's configuration", () => existsSync(config), ceilingMs);
    this.keep([...inside, "bird", "-f", "-c", config, "-s", socket, "-P", this.at("bird.pid")]);
  }

  /** What each upstream passes on. */
  async seen(within: readonly string[] = []): Promise<Seen> {
    const lookup = [...within, ...this.#vantage, "routes", "lookup", this.prefix, "-o", "json"];
    const { stdout, stderr } = await runToEnd(lookup, { env: this.#environment });
    if (stderr.includes("No router has a path")) {
      return [];
    }
    return JSON.parse(stdout)
      .map((route: { peer_asn: number; as_path: number[] }) => [route.peer_asn, route.as_path.join(" ")])
      .toSorted();
  }

  /** Resolves once these paths are all there are. */
  seenAs(what: string, paths: readonly string[]): Promise<Seen> {
    const seen = async () => {
      const all = await this.seen();
      const now = all.map(([, path]) => path);
      return Bun.deepEquals(now, paths) ? all : false;
    };
    return until(what, seen, ceilingMs);
  }

  /** Ends what runs, the stack last; its exit code. */
  async leave(): Promise<number> {
    for (const child of [...this.#running.splice(0), this.#stack]) {
      child.kill("SIGTERM");
      await child.exited;
    }
    return await this.#stack.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave();
  }
}
