/** Packets of an interface, by tcpdump, in a file that is read at the end. */
import { inNamespace } from "../lab/namespaces.ts";

const fileHeaderBytes = 24;
const packetHeaderBytes = 16;
/** Room for half a second at 500,000 packets/s. */
const captureKilobytes = "16384";

interface PacketLogPlan {
  readonly path: string;
  readonly namespace: string;
  readonly interfaceName: string;
  /** Bytes of each packet that are kept. */
  readonly snapBytes: number;
  /** pcap-filter(7). */
  readonly filter: readonly string[];
}

export class PacketLog implements AsyncDisposable {
  readonly #path: string;
  readonly #tcpdump;
  #complaint = "";

  private constructor({ path, namespace, interfaceName, snapBytes, filter }: PacketLogPlan) {
    this.#path = path;
    const place = ["-i", interfaceName, "-B", captureKilobytes, "-s", String(snapBytes), "-Q", "in"];
    const command = ["tcpdump", ...place, "-Z", "root", "-w", path, ...filter];
    this.#tcpdump = Bun.spawn(inNamespace(namespace, command), { stdout: "ignore", stderr: "pipe" });
  }

  /** Resolves when nothing is missed any more. */
  static async start(plan: PacketLogPlan): Promise<PacketLog> {
    const log = new PacketLog(plan);
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

  /** Ends it, and gives each packet in the order of arrival. Throws where the capture itself has lost some. */
  async read(onPacket: (frame: DataView, atMs: number) => void): Promise<void> {
    await this.#end("SIGINT");
    const dropped = /(\d+) packets? dropped by kernel/.exec(this.#complaint)?.[1];
    if (dropped !== "0") {
      throw new Error(`Cannot count packets, the capture itself has lost some: ${this.#complaint}`);
    }
    let rest = new Uint8Array(0);
    let skip = fileHeaderBytes;
    for await (const chunk of Bun.file(this.#path).stream()) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      rest = bytes.subarray(take(bytes, skip, onPacket));
      skip = 0;
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

/** The whole packets of a piece of a pcap file; returns where the next one begins. */
function take(bytes: Uint8Array, from: number, onPacket: (frame: DataView, atMs: number) => void): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = from;
  while (at + packetHeaderBytes <= bytes.length) {
    const frameAt = at + packetHeaderBytes;
    const length = view.getUint32(at + 8, true);
    if (frameAt + length > bytes.length) {
      break;
    }
    const atMs = view.getUint32(at, true) * 1000 + view.getUint32(at + 4, true) / 1000;
    onPacket(new DataView(bytes.buffer, bytes.byteOffset + frameAt, length), atMs);
    at = frameAt + length;
  }
  return at;
}
