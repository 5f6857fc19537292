/** When probes arrive at a host, of either family and of UDP and TCP, as tcpdump on its interface has them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSavefile } from "../vectors/hand/savefile.ts";
import type { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";

interface WatchedHost {
  readonly net: Internet;
  readonly folder: string;
  readonly node: string;
  /** Where the packets come from. */
  readonly neighbour: string;
}

export class FloodWatch implements AsyncDisposable {
  readonly #path: string;
  readonly #tcpdump;

  private constructor({ net, folder, node, neighbour }: WatchedHost) {
    this.#path = join(folder, `flood-${node}.pcap`);
    const where = ["-i", interfaceTo(neighbour), "-Q", "in", "-s", "64", "-Z", "root"];
    const command = ["tcpdump", "-U", ...where, "-w", this.#path, "dst", "port", "33434"];
    this.#tcpdump = Bun.spawn(net.at(node, command), { stdout: "ignore", stderr: "pipe" });
  }

  /** Resolves when nothing is missed any more. */
  static async start(host: WatchedHost): Promise<FloodWatch> {
    const watch = new FloodWatch(host);
    await watch.#tcpdump.stderr.getReader().read();
    return watch;
  }

  /** Ends it; milliseconds since the epoch, in the order of arrival. */
  async times(): Promise<number[]> {
    this.#tcpdump.kill("SIGINT");
    await this.#tcpdump.exited;
    return readSavefile(readFileSync(this.#path)).packets.map(({ timeNs }) => Number(timeNs / 1_000_000n));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#tcpdump.kill("SIGKILL");
    await this.#tcpdump.exited;
  }
}
