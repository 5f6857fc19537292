/**
 * A network of namespaces, one for each node, that stands as long as the object: made, entered, and removed when it
 * is disposed of or this process ends. A lab says which nodes there are, which of them forward, and what joins them.
 */
import {
  forwarding,
  inNamespace,
  ipBatch,
  namespacePrefix,
  removeNamespaces,
  removeStaleNamespaces,
  type Setting,
  writeSettings,
} from "./namespaces.ts";

const noDuplicateAddressDetection: readonly Setting[] = [
  ["ipv6/conf/default/accept_dad", "0"],
  ["ipv6/conf/all/accept_dad", "0"],
];

interface LabNetPlan<Node extends string> {
  readonly nodes: readonly Node[];
  /** Nodes that forward. */
  readonly routers: readonly Node[];
  /** Settings of each node, under /proc/sys/net. */
  readonly settings: readonly Setting[];
}

export abstract class LabNet<Node extends string> implements Disposable {
  readonly #prefix = namespacePrefix();
  readonly #plan: LabNetPlan<Node>;
  readonly #onExit = () => removeNamespaces(this.#namespaces());

  protected constructor(plan: LabNetPlan<Node>) {
    this.#plan = plan;
  }

  /** Joins the nodes, which have no link yet but lo. */
  protected abstract link(): Promise<void>;

  /** Throws LabError, after removing what it had made. */
  protected async make(): Promise<this> {
    removeStaleNamespaces();
    process.on("exit", this.#onExit);
    try {
      await ipBatch(this.#namespaces().map((name) => `netns add ${name}`));
      await Promise.all(this.#plan.nodes.map((node) => this.#configure(node)));
      await this.link();
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
    return this;
  }

  namespaceOf(node: Node): string {
    return `${this.#prefix}${node}`;
  }

  /** The command line that runs `command` at a node and ends with this process. */
  at(node: Node, command: readonly string[]): string[] {
    return inNamespace(this.namespaceOf(node), command);
  }

  /** Runs lines of iproute2 at a node. */
  async ip(node: Node, commands: readonly string[]): Promise<void> {
    await ipBatch(commands, "-n", this.namespaceOf(node));
  }

  [Symbol.dispose](): void {
    process.off("exit", this.#onExit);
    removeNamespaces(this.#namespaces());
  }

  #namespaces(): string[] {
    return this.#plan.nodes.map((node) => this.namespaceOf(node));
  }

  async #configure(node: Node): Promise<void> {
    const { routers, settings } = this.#plan;
    const own = routers.includes(node) ? [...settings, ...forwarding] : settings;
    await writeSettings(this.namespaceOf(node), [...noDuplicateAddressDetection, ...own], []);
    await this.ip(node, ["link set lo up"]);
  }
}
