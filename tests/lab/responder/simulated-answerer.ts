/**
 * The simulator of discoveries on the wire: probes are answered as a topology says, by whichever router their TTL ends
 * at. Its targets are silent. Answers are lost and limited as its conditions say, in the time of a clock; the same
 * probe is lost again within a second, and may be answered in another.
 *
 * Subnet s is the s-th /24 from 198.18.0.0 on, or the s-th /64 from 2001:db8:1800:: on; router n is 10.0.0.0 + n, or
 * 2001:db8:200:: + n. A flow is the last byte of the target and the source port, as the sequential mapper of
 * lib/measuring/discovery has it: bytes 0 … 255 at port 24,000 are flows 0 … 255, byte 255 at port 24,000 + p is flow
 * 255 + p.
 * Other pairs are flows further on, which balancers by destination take for byte 255.
 */
import type { Clock } from "../../../ffi/clock.ts";
import type { SimulatedNet } from "../../discovery/simulator/simulated-net.ts";
import type { ProbeResponse } from "./answerer.ts";
import { writeIcmpError } from "./icmp-error.ts";
import { destinationOf, type IpPacket, protocolNumbers, readIpPacket } from "./ip-packet.ts";
import { setTtl } from "./tamper.ts";

const timeExceeded = { 4: 11, 6: 3 } as const;
const initialTtl = 255;
const firstSubnet4 = 0xc6120000;
const firstSubnet6 = Uint8Array.of(0x20, 0x01, 0x0d, 0xb8, 0x18, 0x00);
const router6 = Uint8Array.of(0x20, 0x01, 0x0d, 0xb8, 0x02, 0x00, ...new Array<number>(10).fill(0));
const addressesEach = 256;
const firstSrcPort = 24_000;
const lastByte = 255;
const portsMax = 65_536;

export class SimulatedAnswerer {
  readonly #net: SimulatedNet;
  readonly #clock: Pick<Clock, "monotonicUs">;
  readonly #packet = new Uint8Array(2048);

  constructor(net: SimulatedNet, clock: Pick<Clock, "monotonicUs">) {
    this.#net = net;
    this.#clock = clock;
  }

  /** The answer to one IP packet, which may be overwritten; null when nobody answers. */
  answer(bytes: Uint8Array): ProbeResponse | null {
    const probe = readIpPacket(bytes);
    if (probe === null) {
      return null;
    }
    const subnet = subnetOf(probe);
    const { units, subnetsEach } = this.#net.topology;
    const isTarget = subnet >= 0 && subnet < units * subnetsEach;
    this.#net.nowSec = this.#clock.monotonicUs() / 1e6;
    this.#net.rounds = Math.floor(this.#net.nowSec);
    const node = isTarget ? this.#net.probe(subnet, simulatedFlow(probe), probe.ttl) : 0;
    if (node === 0) {
      return null;
    }
    const [type, ttl] = [timeExceeded[probe.family], initialTtl - probe.ttl];
    const error = { type, code: 0, source: routerAddress(probe, node), ttl };
    setTtl(probe, 1);
    const length = writeIcmpError(this.#packet, probe, error, {});
    return { packet: this.#packet.subarray(0, length), delayMs: 0 };
  }
}

/** -1 = not one of ours. */
function subnetOf(probe: IpPacket): number {
  const destination = destinationOf(probe);
  const view = new DataView(destination.buffer, destination.byteOffset);
  if (probe.family === 4) {
    return Math.floor((view.getUint32(0) - firstSubnet4) / addressesEach);
  }
  return firstSubnet6.every((byte, i) => destination[i] === byte) ? view.getUint16(6) : -1;
}

/** Only UDP and TCP have ports; of another protocol an address is a flow. */
function simulatedFlow(probe: IpPacket): number {
  const last = destinationOf(probe).at(-1) ?? 0;
  const { bytes, headerBytes, protocol } = probe;
  const hasPorts = protocol === protocolNumbers.udp || protocol === protocolNumbers.tcp;
  const port = ((bytes[headerBytes] ?? 0) << 8) | (bytes[headerBytes + 1] ?? 0);
  const offset = hasPorts ? Math.max(0, port - firstSrcPort) : 0;
  return offset === 0 ? last : lastByte + offset + (lastByte - last) * portsMax;
}

function routerAddress({ family }: IpPacket, node: number): Uint8Array {
  const source = family === 4 ? new Uint8Array(4) : router6.slice();
  new DataView(source.buffer).setUint32(source.length - 4, family === 4 ? 0x0a000000 + node : node);
  return source;
}
