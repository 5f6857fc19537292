/**
 * A machine with a container engine: namespaces for its network, its mounts and its processes, a root file system of
 * its own over the engine's, and the engine. What it writes stays when its plug is pulled, as on a disk.
 */
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { until } from "../../exchange/until.ts";
import { runToEnd } from "../../run/said.ts";
import { LabError, namespaceFolder } from "../namespaces.ts";

const script = join(import.meta.dirname, "machine.sh");
/** Its first process, where it has no engine that runs by itself. */
export const idle = ["sleep", "infinity"];
/** `groups`: for processes of containers, beside those of the host. */
const docker = (groups: string) => [
  ...["dockerd", "--exec-opt", "native.cgroupdriver=cgroupfs", "--cgroup-parent", `/${groups}`],
];

interface MachineOptions {
  readonly name: string;
  /** Below it everything is seen by the machine, at the same path. */
  readonly lab: string;
  readonly engine: string;
  /** `host`: the host's own network, in which it can only build. */
  readonly network: { readonly namespace: string; readonly nameserver: string } | "host";
  /** Instead of Docker. */
  readonly command?: readonly string[];
}

export class Machine implements AsyncDisposable {
  readonly name: string;
  readonly #options: MachineOptions;
  readonly #folder: string;
  readonly #parts = ["up", "work", "root", "docker", "containers"] as const;
  #child: Subprocess | null = null;

  constructor(options: MachineOptions) {
    this.#options = options;
    this.name = options.name;
    this.#folder = join(options.lab, "machines", options.name);
    for (const part of this.#parts) {
      mkdirSync(join(this.#folder, part), { recursive: true });
    }
  }

  /** Where Docker keeps its images. */
  get images(): string {
    return join(this.#folder, "docker");
  }

  /** Resolves once the engine answers. */
  async switchOn(): Promise<void> {
    const { network, engine, lab, command } = this.#options;
    const groups = this.#groups();
    const isOnHost = network === "host";
    const first = command ?? [
      ...docker(groups),
      ...(isOnHost ? ["--bridge=none", "--iptables=false", "--ip6tables=false"] : []),
    ];
    const enter = isOnHost ? [] : ["nsenter", `--net=${join(namespaceFolder, network.namespace)}`];
    // Whatever ends this process ends the machine.
    const tied = ["setpriv", "--pdeathsig", "KILL"];
    const apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", script];
    const nameserver = isOnHost ? "host" : network.nameserver;
    rmSync(join(this.images, "docker.pid"), { force: true });
    const log = openSync(join(this.#folder, "engine.log"), "a");
    this.#child = Bun.spawn([...tied, ...enter, ...apart, lab, engine, this.#folder, nameserver, ...first], {
      stdin: "ignore",
      stdout: log,
      stderr: log,
    });
    closeSync(log);
    const isUp = command === undefined ? ["docker", "version"] : ["true"];
    await until(`the engine of ${this.name}`, async () => (await this.tried(isUp)).exitCode === 0, 60_000);
  }

  /** As if somebody pulled its plug: everything in it ends at this moment. */
  async pullThePlug(): Promise<void> {
    const first = this.#firstProcess();
    if (first !== null) {
      process.kill(first, "SIGKILL");
    }
    await this.#child?.exited;
    this.#child = null;
  }

  /** As after a new disk: nothing is left but the images of another machine, which is off. */
  async wipe(images: Machine): Promise<void> {
    await this.pullThePlug();
    for (const part of this.#parts) {
      rmSync(join(this.#folder, part), { recursive: true, force: true });
      mkdirSync(join(this.#folder, part), { recursive: true });
    }
    await this.takeImages(images);
  }

  /** The command line that runs a command inside. */
  enter(command: readonly string[], folder = "/"): string[] {
    const first = this.#firstProcess();
    if (first === null) {
      throw new LabError(`The machine ${this.name} is off`);
    }
    return ["nsenter", `--target=${first}`, "-m", "-p", "-n", "-r", `--wdns=${folder}`, ...command];
  }

  /** Whatever its exit code is. A line is a line of `sh`. */
  tried(command: readonly string[] | string, folder = "/") {
    const words = typeof command === "string" ? ["sh", "-c", command] : command;
    return runToEnd(this.enter(words, folder), { env: machineEnvironment });
  }

  /** Rejects with LabError and what it said when it fails. */
  async run(command: readonly string[] | string, folder = "/"): Promise<string> {
    const { exitCode, stdout, stderr } = await this.tried(command, folder);
    if (exitCode !== 0) {
      const said = (stdout + stderr).trim().slice(-3000);
      throw new LabError(`${this.name}: "${[command].flat().join(" ")}" ended with ${exitCode}: ${said}`);
    }
    return stdout;
  }

  /** Images of another machine that is off, without a copy of what they hold: layers are never written to. */
  async takeImages(from: Machine): Promise<void> {
    for (const part of ["overlay2", "image"]) {
      rmSync(join(this.images, part), { recursive: true, force: true });
    }
    const { exitCode, stderr } = await runToEnd(["cp", "-al", join(from.images, "overlay2"), this.images]);
    if (exitCode !== 0) {
      throw new LabError(`Cannot take the images of ${from.name}: ${stderr.trim()}`);
    }
    cpSync(join(from.images, "image"), join(this.images, "image"), { recursive: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pullThePlug();
    await runToEnd([
      "sh",
      "-c",
      `find /sys/fs/cgroup -depth -type d -path '*/${this.#groups()}*' -exec rmdir {} +`,
    ]);
  }

  #groups(): string {
    return `vantage-lab-${process.pid}-${this.name}`;
  }

  #firstProcess(): number | null {
    const pid = this.#child?.pid ?? 0;
    if (pid === 0 || this.#child?.exitCode !== null) {
      return null;
    }
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return children === "" ? null : Number(children.split(" ")[0]);
  }
}

const machineEnvironment = {
  ...{ HOME: "/root", TERM: "dumb", LANG: "C.UTF-8" },
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
};
