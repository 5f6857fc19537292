/** Every probe that arrives at the router, with its time, in a file that is read at the end. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inNamespace } from "../lab/namespaces.ts";
import { interfaceTo } from "../lab/routing.ts";
import { dstPortFirst, dstPortLast, indexOf } from "./probe-space.ts";
import { hostNode } from "./topology.ts";

/** Ethernet, and IPv4 without options. */
const sourceAt = 26;
const portsAt = 34;
const snapBytes = 64;
const fileHeaderBytes = 24;
const packetHeaderBytes = 16;
/** Room for half a second at 500,000 packets/s. */
const captureKilobytes = "16384";

export type Arrival = (source: string, index: number, atMs: number) => void;

export class WireLog implements AsyncDisposable {
  readonly #path: string;
  readonly #tcpdump;
  #complaint = "";

  private constructor(folder: string, namespace: string) {
    this.#path = join(folder, "probes.pcap");
    const where = [
      "-i",
      interfaceTo(hostNode),
      "-B",
      captureKilobytes,
      "-s",
      String(snapBytes),
      "-Z",
      "root",
    ];
    const what = ["udp", "and", "dst", "portrange", `${dstPortFirst}-${dstPortLast}`];
    const command = ["tcpdump", ...where, "-w", this.#path, ...what];
    this.#tcpdump = Bun.spawn(inNamespace(namespace, command), { stdout: "ignore", stderr: "pipe" });
  }

  /** Resolves when nothing is missed any more. */
  static async start(folder: string, namespace: string): Promise<WireLog> {
    const log = new WireLog(folder, namespace);
    const heard = Promise.withResolvers<void>();
    void (async () => {
      for await (const text of log.#tcpdump.stderr.pipeThrough(new TextDecoderStream())) {
        log.#complaint += text;
        heard.resolve();
      }
    })();
    await heard.promise;
    return log;
  }

  /** Ends it, and tells of each probe in the order of arrival. Throws where the capture itself has lost some. */
  async read(arrival: Arrival): Promise<void> {
    await this.#end("SIGINT");
    const dropped = /(\d+) packets? dropped by kernel/.exec(this.#complaint)?.[1];
    if (dropped !== "0") {
      throw new Error(`Cannot count probes on the wire, the capture has lost some: ${this.#complaint}`);
    }
    const bytes = readFileSync(this.#path);
    for (let at = fileHeaderBytes; at + packetHeaderBytes <= bytes.length; ) {
      const atMs = bytes.readUInt32LE(at) * 1000 + bytes.readUInt32LE(at + 4) / 1000;
      const frame = at + packetHeaderBytes;
      const source = bytes.subarray(frame + sourceAt, frame + sourceAt + 4).join(".");
      const ports = frame + portsAt;
      arrival(source, indexOf(bytes.readUInt16BE(ports), bytes.readUInt16BE(ports + 2)), atMs);
      at = frame + bytes.readUInt32LE(at + 8);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end("SIGKILL");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#tcpdump.kill(signal);
    await this.#tcpdump.exited;
  }
}
