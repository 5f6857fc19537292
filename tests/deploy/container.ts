/**
 * One service of compose.yaml without a container engine: the same command, variables, user, capabilities and mounts,
 * in a mount and a network namespace. Its root is this machine's, with what it writes in memory; the image's own
 * programs are Debian's, and `vantage` is this project's.
 */
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { InVain } from "../exchange/until.ts";
import { inNamespace } from "../lab/namespaces.ts";
import { runToEnd } from "../run/said.ts";
import { type ComposeService, projectRoot } from "./compose-file.ts";

export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly isReadOnly: boolean;
}

interface ContainerParts {
  readonly name: string;
  readonly service: ComposeService;
  readonly namespace: string;
  /** For what belongs to this container alone. */
  readonly folder: string;
  /** Volumes, secrets, files of this project. */
  readonly mounts: readonly Mount[];
  /** Instead of what the image brings: its command, as the user; variables besides those of the service. */
  readonly imageCommand: readonly string[];
  readonly imageUser: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Shell lines, in the new root while it can be written to. */
  readonly prepare: readonly string[];
}

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Makes the root and enters it; `$@` is what to run there. */
function script({ folder, mounts, service, prepare }: ContainerParts): string {
  const overlay = (lower: string, name: string, target: string) => [
    `mkdir -p base/${name} base/${name}.work "${target}"`,
    `mount -t overlay overlay -o "lowerdir=${lower},upperdir=base/${name},workdir=base/${name}.work" "${target}"`,
  ];
  return [
    "set -e",
    `cd ${folder}`,
    "mkdir base root && mount -t tmpfs tmpfs base",
    ...overlay("/", "up", "root"),
    "cd root && mount -t tmpfs tmpfs run",
    ...service.tmpfs.map((entry) => tmpfs(entry)),
    "cd ..",
    // Wherever this is cloned: below a folder that is covered now, or one that is its owner's alone.
    ...overlay(projectRoot, "project", `root${projectRoot}`),
    `d=root${projectRoot}; while [ "$d" != root ]; do chmod a+rx "$d"; d=$(dirname "$d"); done`,
    "cd root",
    ...["proc", "dev", "sys"].map((name) => `mount --rbind /${name} ${name}`),
    // Names are in /etc/hosts; nobody else answers here, so nobody is to be waited for.
    "rm -f etc/resolv.conf && touch etc/resolv.conf",
    ...prepare,
    ...mounts.flatMap(bind),
    ...(service.read_only ? ["mount -o remount,bind,ro ."] : []),
    'exec chroot . "$@"',
  ].join("\n");
}

/** `$at` is the place, symbolic links followed as in the new root: else /var/run would be this machine's own /run. */
function place(target: string): string {
  return `at=.$(chroot . realpath --canonicalize-missing ${target})`;
}

function tmpfs(entry: string): string {
  const [target = "", options = "mode=1777"] = entry.split(":");
  return `${place(target)} && mkdir -p $at && mount -t tmpfs -o ${options} tmpfs $at`;
}

function bind({ source, target, isReadOnly }: Mount): string[] {
  return [
    `${place(target)} && mkdir -p "$(dirname $at)"`,
    `if [ -d "${source}" ]; then mkdir -p $at; else [ -e $at ] || touch $at; fi`,
    `mount --bind "${source}" $at`,
    ...(isReadOnly ? ["mount -o remount,bind,ro $at"] : []),
  ];
}

export class Container implements AsyncDisposable {
  readonly name: string;
  /** What the health check said last. */
  lastCheck = "";
  readonly #parts: ContainerParts;
  readonly #log: string;
  readonly #child: Subprocess;

  constructor(parts: ContainerParts) {
    this.name = parts.name;
    this.#parts = parts;
    mkdirSync(parts.folder, { recursive: true });
    this.#log = join(parts.folder, "log");
    writeFileSync(join(parts.folder, "script"), script(parts));
    const { service, imageCommand } = parts;
    const command = [...(service.entrypoint ?? imageCommand), ...service.command];
    const enter = ["unshare", "--mount", "--propagation=private", "sh", join(parts.folder, "script")];
    const log = openSync(this.#log, "w");
    this.#child = Bun.spawn(inNamespace(parts.namespace, [...enter, ...this.#asUser(command)]), {
      stdin: "ignore",
      stdout: log,
      stderr: log,
    });
    closeSync(log);
  }

  said(): string {
    return readFileSync(this.#log, "utf8").slice(-4000);
  }

  /** `Name: value` lines of the kernel's account of the process. */
  status(): Readonly<Record<string, string>> {
    const lines = readFileSync(`/proc/${this.#child.pid}/status`, "utf8").trim().split("\n");
    return Object.fromEntries(lines.map((line) => line.split(":\t").map((part) => part.trim())));
  }

  /** Resolves when the health check of compose.yaml passes. Rejects when the container has ended. */
  async isHealthy(): Promise<boolean> {
    const { healthcheck } = this.#parts.service;
    const [kind, ...command] = healthcheck?.test ?? [];
    if (this.#child.exitCode !== null) {
      throw new InVain(`${this.name} has ended with ${this.#child.exitCode}:\n${this.said()}`);
    }
    const { exitCode, output } = await this.execute(command);
    this.lastCheck = output;
    return kind === "CMD" && exitCode === 0;
  }

  /** Resolves when it has ended well. */
  async completed(): Promise<void> {
    const exitCode = await this.#child.exited;
    if (exitCode !== 0) {
      throw new Error(`${this.name} has ended with ${exitCode}:\n${this.said()}`);
    }
  }

  /** Runs a command inside, as `docker compose exec`. */
  async execute(command: readonly string[], stdin = ""): Promise<{ exitCode: number; output: string }> {
    const enter = ["nsenter", `--target=${this.#child.pid}`, "--mount", "--net", "--root"];
    const {
      stdout: output,
      stderr: complaint,
      exitCode,
    } = await runToEnd([...enter, ...this.#asUser(command)], { stdin: Buffer.from(stdin) });
    return { exitCode, output: output + complaint };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }

  /** With the user and the capabilities of the service, and its variables only. */
  #asUser(command: readonly string[]): string[] {
    const { service, imageUser, variables } = this.#parts;
    const [user = "0", group = user] = (service.user ?? imageUser).split(":");
    const held = service.cap_add.map((name) => `,+${name.toLowerCase()}`).join("");
    const who = user === "0" ? [] : [`--reuid=${user}`, `--regid=${group}`, "--clear-groups"];
    const rights = [`--bounding-set=-all${held}`, "--inh-caps=-all", "--no-new-privs"];
    const environment = Object.entries({ PATH: path, ...variables, ...service.environment });
    const assignments = environment.map(([name, value]) => `${name}=${value}`);
    return ["setpriv", ...who, ...rights, "env", "--chdir=/", "-i", ...assignments, ...command];
  }
}
