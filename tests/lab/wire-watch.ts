/** What arrives at a router on one link, in a file: UDP probes to the usual port, in the order of arrival. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSavefile } from "../vectors/hand/savefile.ts";
import type { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";

/** Behind Ethernet. */
const ipAt = 14;
/** Ethernet and IPv4 without options. */
const udpAt = 34;
const snapBytes = 64;
/** Header sizes of a savefile and of each packet in it, and the offset of the packet's length. */
const fileHeaderBytes = 24;
const packetHeaderBytes = 16;
const savedLengthAt = 8;
const pollMs = 20;

interface WatchedLink {
  readonly net: Internet;
  readonly folder: string;
  /** The node that listens, and its neighbour on the link. */
  readonly node: string;
  readonly neighbour: string;
}

export class WireWatch implements AsyncDisposable {
  readonly #path: string;
  readonly #tcpdump;
  #counted = 0;
  #countedTo = fileHeaderBytes;

  private constructor({ net, folder, node, neighbour }: WatchedLink) {
    this.#path = join(folder, `probes-${crypto.randomUUID()}.pcap`);
    const where = ["-i", interfaceTo(neighbour), "-B", "16384", "-s", String(snapBytes), "-Z", "root"];
    const what = ["udp", "and", "dst", "port", "33434"];
    const command = ["tcpdump", "-U", ...where, "-w", this.#path, ...what];
    this.#tcpdump = Bun.spawn(net.at(node, command), { stdout: "ignore", stderr: "pipe" });
  }

  /** Resolves when nothing is missed any more. */
  static async start(link: WatchedLink): Promise<WireWatch> {
    const watch = new WireWatch(link);
    await watch.#tcpdump.stderr.getReader().read();
    return watch;
  }

  /** Packets so far. */
  get count(): number {
    const bytes = readFileSync(this.#path);
    for (;;) {
      const end = this.#countedTo + packetHeaderBytes;
      const length = end <= bytes.length ? bytes.readUInt32LE(this.#countedTo + savedLengthAt) : Infinity;
      if (end + length > bytes.length) {
        return this.#counted;
      }
      this.#countedTo = end + length;
      this.#counted++;
    }
  }

  /** Until so many packets are there. */
  async until(count: number): Promise<void> {
    while (this.count < count) {
      await Bun.sleep(pollMs);
    }
  }

  /** Ends it; source ports in the order of arrival. */
  async ports(): Promise<number[]> {
    const packets = await this.#packets();
    return packets.map(({ frame }) => ((frame[udpAt] ?? 0) << 8) | (frame[udpAt + 1] ?? 0));
  }

  /** Ends it; `destination port ttl` of each packet of either family, the destination as hex. */
  async probes(): Promise<string[]> {
    const packets = await this.#packets();
    return packets.map(({ frame }) => {
      const [destinationAt, ttlAt, portAt] = (frame[ipAt] ?? 0) >> 4 === 4 ? [30, 22, udpAt] : [38, 21, 54];
      const destination = Buffer.from(frame.subarray(destinationAt, portAt)).toString("hex");
      return `${destination} ${((frame[portAt] ?? 0) << 8) | (frame[portAt + 1] ?? 0)} ${frame[ttlAt]}`;
    });
  }

  /** Ends it; when each packet arrived. */
  async timesMs(): Promise<number[]> {
    return (await this.#packets()).map(({ timeNs }) => Number(timeNs) / 1e6);
  }

  async #packets() {
    this.#tcpdump.kill("SIGINT");
    await this.#tcpdump.exited;
    return readSavefile(readFileSync(this.#path)).packets;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#tcpdump.kill("SIGKILL");
    await this.#tcpdump.exited;
  }
}
