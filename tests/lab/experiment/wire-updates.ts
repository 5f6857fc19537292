/** Changes of the prefix on the wire: the packets that came to the upstreams, as tcpdump captures and reads them. */
import { join } from "node:path";
import { run } from "../namespaces.ts";
import { endsOf, prefix } from "./plan.ts";
import type { Update } from "./told-updates.ts";
import type { WorldNet } from "./world-net.ts";

export class WireWatch implements AsyncDisposable {
  readonly #folder: string;
  readonly #children: Bun.Subprocess[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves when packets of BGP to these nodes are captured. */
  static async start(net: WorldNet, nodes: readonly string[], folder: string): Promise<WireWatch> {
    const watch = new WireWatch(folder);
    for (const node of nodes) {
      const capture = ["-i", "any", "-Q", "in", "--immediate-mode", "-U", "-w", watch.#file(node)];
      const command = ["tcpdump", ...capture, "tcp port 179"];
      watch.#children.push(Bun.spawn(net.at(node, command), { stdout: "ignore", stderr: "ignore" }));
    }
    await Bun.sleep(500);
    return watch;
  }

  /** From the start until the capture has ended, in the order of their times: `A` or `W`, and the neighbour. */
  async updates(node: string): Promise<Update[]> {
    const neighbours = new Set(endsOf(node).map(({ other }) => other));
    // A line of its own for each packet, with what it holds in indented lines behind it.
    const text = await run(["tcpdump", "-r", this.#file(node), "-n", "-tt", "-vvv"]);
    return text.split(/\n(?=\d+\.\d{6} )/).flatMap((packet) => {
      const timeUs = Math.round(1e6 * Number(/^\d+\.\d{6}/.exec(packet)?.[0]));
      const peer = /\s(\S+)\.\d+ > /.exec(packet)?.[1] ?? "";
      return neighbours.has(peer)
        ? changesIn(packet).map((kind) => ({ timeUs, text: `${kind} ${peer}` }))
        : [];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      child.kill();
      await child.exited;
    }
  }

  #file(node: string): string {
    return join(this.#folder, `${node}.pcap`);
  }
}

/** What the messages of a packet say of the prefix, one after the other. */
function changesIn(packet: string): ("A" | "W")[] {
  return packet
    .split("Update Message (2)")
    .slice(1)
    .flatMap((message) => {
      const kinds = message.split(/(?=Multi-Protocol (?:Unreach|Reach) NLRI)/).slice(1);
      return kinds
        .filter((attribute) => attribute.includes(prefix))
        .map((attribute) => (attribute.startsWith("Multi-Protocol Reach") ? "A" : "W"));
    });
}
