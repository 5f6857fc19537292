/**
 * Starts and stops the Internet of the lab: a network namespace for each node of a topology, joined by veth
 * pairs, and the processes that answer in it.
 *
 * No link leads to the namespace of the machine, so nothing can leave. Everything goes away with `stop`, and
 * when this process ends by itself or by SIGHUP, SIGINT or SIGTERM.
 */
import type { Subprocess } from "bun";
import { Tun } from "../native/tun.ts";
import {
  linkCommands,
  nftProgram,
  nodeCommands,
  optionalRouterSettings,
  optionalSettings,
  requiredSettings,
  responderDevice,
  responderFarEnd,
  routerSettings,
  ruleCommands,
} from "./commands.ts";
import {
  endRunningCommands,
  inNamespace,
  ipBatch,
  LabError,
  namespacePrefix,
  removeNamespaces,
  removeStaleNamespaces,
  run,
  writeSettings,
} from "./namespaces.ts";
import type { Node, ResponderPort, Topology } from "./topology.ts";

const helperStartMsMax = 120_000;
/** Signals that end this process, and its exit code then. */
const exitCodeOf = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const endSignals = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

export class Internet implements AsyncDisposable {
  readonly topology: Topology;
  readonly #prefix = namespacePrefix();
  readonly #helpers: Subprocess[] = [];
  readonly #onExit = () => this.#remove();
  readonly #onSignal = (signal: keyof typeof exitCodeOf) => {
    this.#end ??= this.#endBySignal(signal);
  };
  #end: Promise<never> | undefined;

  private constructor(topology: Topology) {
    this.topology = topology;
  }

  /** Takes 1–3 seconds. Throws LabError or SystemError, after removing what it had made. */
  static async start(topology: Topology): Promise<Internet> {
    const internet = new Internet(withUsablePorts(topology));
    removeStaleNamespaces();
    process.on("exit", internet.#onExit);
    for (const signal of endSignals) {
      process.on(signal, internet.#onSignal);
    }
    try {
      await internet.#build();
    } catch (error) {
      // Ended by a signal, the commands that build are what failed: nobody wants to read of it.
      await internet.#end;
      await internet.stop();
      throw error;
    }
    return internet;
  }

  namespaceOf(node: string): string {
    return `${this.#prefix}${node}`;
  }

  /** The command line that runs `command` at a node; spawn it, or show it to people. */
  at(node: string, command: readonly string[]): string[] {
    return inNamespace(this.namespaceOf(node), command);
  }

  /** Ends the helpers, waits for their end, removes the namespaces. Harmless when called again. */
  async stop(): Promise<void> {
    process.off("exit", this.#onExit);
    for (const signal of endSignals) {
      process.off(signal, this.#onSignal);
    }
    this.#remove();
    await Promise.all(this.#helpers.map((helper) => helper.exited));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** A command that is under way would go on making what was just removed. */
  async #endBySignal(signal: keyof typeof exitCodeOf): Promise<never> {
    await endRunningCommands();
    this.#remove();
    process.exit(exitCodeOf[signal]);
  }

  #remove(): void {
    for (const helper of this.#helpers) {
      helper.kill("SIGKILL");
    }
    removeNamespaces(this.topology.nodes.map((node) => this.namespaceOf(node.name)));
  }

  async #build(): Promise<void> {
    const { nodes } = this.topology;
    await ipBatch(nodes.map((node) => `netns add ${this.namespaceOf(node.name)}`));
    await Promise.all(nodes.map((node) => this.#writeSettings(node)));
    await ipBatch(linkCommands(this.topology, (node) => this.namespaceOf(node)));
    await Promise.all(nodes.map((node) => this.#configure(node)));
    await Promise.all(nodes.flatMap((node) => this.#startHelpers(node)));
  }

  #writeSettings(node: Node): Promise<void> {
    const forwards = node.role === "router";
    return writeSettings(
      this.namespaceOf(node.name),
      [...requiredSettings, ...(forwards ? routerSettings(node) : [])],
      [...optionalSettings, ...(forwards ? optionalRouterSettings(node) : [])],
    );
  }

  async #configure(node: Node): Promise<void> {
    const namespace = this.namespaceOf(node.name);
    await ipBatch(nodeCommands(this.topology, node), "-n", namespace);
    for (const family of ["-4", "-6"]) {
      await ipBatch(ruleCommands(this.topology, node), family, "-n", namespace);
    }
    const program = nftProgram(this.topology, node);
    if (program !== "") {
      await run(this.at(node.name, ["nft", "-f", "-"]), program);
    }
  }

  #startHelpers(node: Node): Promise<void>[] {
    const helpers: Promise<void>[] = [];
    if (node.responder !== undefined) {
      const { port, vlanTags = [], simulates = "" } = node.responder;
      const device = port === "tun" ? responderDevice : responderFarEnd;
      const args = [port, device, JSON.stringify(vlanTags), simulates];
      helpers.push(this.#startHelper(node.name, "responder/main.ts", args));
    }
    if (node.openTcpPort !== undefined) {
      helpers.push(this.#startHelper(node.name, "listener.ts", [String(node.openTcpPort)]));
    }
    return helpers;
  }

  /** A helper says "ready" on its standard output once it serves. */
  async #startHelper(node: string, script: string, args: readonly string[]): Promise<void> {
    const command = this.at(node, [process.execPath, `${import.meta.dir}/${script}`, ...args]);
    const helper = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
    this.#helpers.push(helper);
    const timer = setTimeout(() => helper.kill("SIGKILL"), helperStartMsMax);
    const { value } = await helper.stdout.getReader().read();
    clearTimeout(timer);
    if (value === undefined) {
      throw new LabError(`Cannot start ${script} at "${node}": it ended before it was ready`);
    }
  }
}

/** Where TUN cannot be opened, routers reach their responder by a veth pair, and hosts with a tunnel are left out. */
function withUsablePorts(topology: Topology): Topology {
  if (Tun.available()) {
    return topology;
  }
  const overVeth = (responder: ResponderPort): ResponderPort => ({ ...responder, port: "veth" });
  const nodes = topology.nodes
    .filter((node) => !(node.role === "vantage" && node.responder?.port === "tun"))
    .map((node) => (node.responder === undefined ? node : { ...node, responder: overVeth(node.responder) }));
  return { ...topology, nodes };
}
