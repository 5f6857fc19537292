/**
 * A machine of the play: what this one has, or a fresh Debian, with everything that is written kept apart, in a network
 * namespace of its own. Only inside of a mount namespace that ends with the play.
 */
import { appendFileSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Subprocess } from "bun";
import { until } from "../exchange/until.ts";
import { run } from "../lab/namespaces.ts";
import { saidBy } from "../run/said.ts";
import { unitScript } from "./unit-run.ts";

/** What somebody has run or set up on this machine is not there's. */
const notThere = [
  ...["var/lib/vantage", "etc/vantage", "var/lib/prometheus", "var/lib/caddy", "opt/kafka"],
  ...["usr/local/bin/vantage", "etc/systemd/system/vantage-*"],
];

export class Machine {
  readonly root: string;
  readonly #namespace: string | null;
  readonly #services = new Map<string, Subprocess>();

  private constructor(root: string, namespace: string | null) {
    this.root = root;
    this.#namespace = namespace;
  }

  /**
   * `folder` is empty, on a file system that overlays can lie on; `namespace` null = the one of this process; `base`:
   * what there is before anything is written.
   */
  static async make(folder: string, namespace: string | null, base = "/"): Promise<Machine> {
    const root = join(folder, "root");
    for (const name of ["upper", "work", "root"]) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    const layers = `lowerdir=${base},upperdir=${folder}/upper,workdir=${folder}/work`;
    await run(["mount", "-t", "overlay", "overlay", "-o", layers, root]);
    for (const name of ["proc", "dev"]) {
      await run(["mount", "--rbind", `/${name}`, join(root, name)]);
    }
    await run(["mount", "-t", "tmpfs", "tmpfs", join(root, "run")]);
    if (base === "/") {
      await run(["sh", "-c", `cd ${root} && rm -rf ${notThere.join(" ")}`]);
    }
    return new Machine(root, namespace);
  }

  /** Ends all that runs on it, and removes its disk. */
  async wipe(): Promise<void> {
    for (const supervisor of this.#services.values()) {
      supervisor.kill("SIGKILL");
    }
    this.#services.clear();
    const isHere = (pid: string) => {
      try {
        return readlinkSync(`/proc/${pid}/root`) === this.root;
      } catch {
        return false;
      }
    };
    const here = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isHere(name));
    await until("every process of the machine has ended", () => {
      const pids = here();
      for (const pid of pids) {
        process.kill(Number(pid), "SIGKILL");
      }
      return pids.length === 0;
    });
    // Lazily: what has just ended may still be in the way.
    await run(["umount", "--recursive", "--lazy", this.root]);
    await run(["rm", "-rf", "--one-file-system", dirname(this.root)]);
  }

  /** A folder of this machine at the same place, as from an installation medium. */
  async mount(folder: string): Promise<void> {
    mkdirSync(this.path(folder), { recursive: true });
    await run(["mount", "--bind", "-o", "ro", folder, this.path(folder)]);
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.path(path), ".."), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  nameHosts(lines: readonly string[]): void {
    appendFileSync(this.path("etc/hosts"), `${lines.join("\n")}\n`);
  }

  /** Its names are those of processes beside it, too: people's browsers. */
  async lendHosts(): Promise<void> {
    await run(["mount", "--bind", this.path("etc/hosts"), "/etc/hosts"]);
  }

  command(words: readonly string[], variables: readonly string[] = []): string[] {
    const place = this.#namespace === null ? [] : ["nsenter", `--net=/run/netns/${this.#namespace}`, "--"];
    const plain = ["PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LANG=C.UTF-8"];
    return [...place, "chroot", this.root, "/usr/bin/env", "-i", ...plain, ...variables, ...words];
  }

  /** To its end; resolves to what it printed. Rejects with that when the exit code is another. */
  async run(
    words: readonly string[],
    { variables = [], exits = 0, input = "" }: RunOptions = {},
  ): Promise<string> {
    const child = Bun.spawn(this.command(words, variables), {
      ...{ stdin: Buffer.from(input), stdout: "pipe", stderr: "pipe" },
    });
    const { stdout, stderr, exitCode } = await saidBy(child);
    if (exitCode !== exits) {
      throw new Error(`${words.join(" ")}: exit code ${exitCode}\n${stdout}${stderr}`);
    }
    return stdout;
  }

  async shell(line: string, options: RunOptions = {}): Promise<string> {
    return await this.run(["sh", "-ec", line], options);
  }

  /** As `systemctl restart`; a unit of type oneshot is waited for. */
  async start(name: string): Promise<void> {
    const script = unitScript(this.root, name);
    await this.stop(name);
    const log = this.#log(name);
    const command = this.command(["sh", "-c", script]);
    if (
      /^Type=oneshot$/m.test(await this.shell(`cat /etc/systemd/system/${name}.service 2>/dev/null || true`))
    ) {
      // Restart=on-failure.
      await until(`${name} ends well`, async () => {
        return (await Bun.spawn(command, { stdin: "ignore", stdout: log, stderr: log }).exited) === 0;
      });
      return;
    }
    this.#services.set(name, this.#supervised(command, log));
  }

  /** Started again while it fails, as Restart=on-failure does. */
  #supervised(command: string[], log: Bun.BunFile): Subprocess {
    const again = `child=; trap 'kill "$child" 2>/dev/null; wait; exit 0' TERM
while :; do "$@" & child=$!; wait "$child" && exit; sleep 1; done`;
    return Bun.spawn(["sh", "-c", again, "sh", ...command], { stdin: "ignore", stdout: log, stderr: log });
  }

  async stop(name: string): Promise<void> {
    const child = this.#services.get(name);
    this.#services.delete(name);
    child?.kill();
    await child?.exited;
  }

  #log(name: string): Bun.BunFile {
    return Bun.file(this.path("tmp", `${name}.service.log`));
  }

  /** The last lines of each service, for who reads that something failed. */
  lastWords(): string {
    const logs = [...new Bun.Glob("*.service.log").scanSync(this.path("tmp"))].sort();
    const tails = logs.map((name) => {
      const { stdout } = Bun.spawnSync(["tail", "-n", "5", this.path("tmp", name)]);
      return `== ${name}\n${stdout.toString()}`;
    });
    return `\n${tails.join("")}`;
  }
}

interface RunOptions {
  /** `NAME=value`. */
  readonly variables?: readonly string[];
  readonly exits?: number;
  readonly input?: string;
}
