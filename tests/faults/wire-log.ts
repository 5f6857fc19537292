/** What is on the wire, with its time: each probe that arrives at the router, each answer that arrives at the host. */
import { join } from "node:path";
import { interfaceTo } from "../lab/routing.ts";
import { PacketLog } from "./packet-log.ts";
import { dstPortFirst, dstPortLast, indexOf } from "./probe-space.ts";
import { hostNode, routerNode } from "./topology.ts";

/** Ethernet, and IPv4 without options. */
const sourceAt = 26;
const destinationAt = 30;
const portsAt = 34;
/** The ports that an ICMP error quotes: behind its 8 bytes, and IPv4 once more. */
const quotedPortsAt = 62;
const snapBytes = 80;

/** `source`: the agent's. */
type Arrival = (source: string, index: number, atMs: number) => void;

export interface Namespaces {
  readonly host: string;
  readonly router: string;
}

export class WireLog implements AsyncDisposable {
  readonly #probes: PacketLog;
  readonly #answers: PacketLog;

  private constructor(probes: PacketLog, answers: PacketLog) {
    this.#probes = probes;
    this.#answers = answers;
  }

  static async start(folder: string, { host, router }: Namespaces): Promise<WireLog> {
    const [probes, answers] = await Promise.all([
      PacketLog.start({
        ...{ path: join(folder, "probes.pcap"), namespace: router, interfaceName: interfaceTo(hostNode) },
        ...{ snapBytes, filter: ["udp", "and", "dst", "portrange", `${dstPortFirst}-${dstPortLast}`] },
      }),
      PacketLog.start({
        ...{ path: join(folder, "answers.pcap"), namespace: host, interfaceName: interfaceTo(routerNode) },
        ...{ snapBytes, filter: ["icmp[icmptype] == icmp-timxceed"] },
      }),
    ]);
    return new WireLog(probes, answers);
  }

  /** As PacketLog.read. */
  async readProbes(arrival: Arrival): Promise<void> {
    await this.#probes.read(tellerOf(arrival, sourceAt, portsAt));
  }

  /** As PacketLog.read. */
  async readAnswers(arrival: Arrival): Promise<void> {
    await this.#answers.read(tellerOf(arrival, destinationAt, quotedPortsAt));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#probes[Symbol.asyncDispose](), this.#answers[Symbol.asyncDispose]()]);
  }
}

function tellerOf(arrival: Arrival, addressAt: number, ports: number) {
  const names = new Map<number, string>();
  return (frame: DataView, atMs: number) => {
    const address = frame.getUint32(addressAt);
    const name = names.get(address) ?? [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join(".");
    names.set(address, name);
    arrival(name, indexOf(frame.getUint16(ports), frame.getUint16(ports + 2)), atMs);
  };
}
