/** Where the responder meets the network: IP packets in, IP packets out, over TUN or over a veth pair. */
import { FrameSocket } from "../../native/frame-socket.ts";
import { Tun } from "../../native/tun.ts";
import { responderEthernet } from "../commands.ts";
import type { VlanTag } from "../topology.ts";

export interface PacketPort {
  /** Copies the next IP packet into `packet`; returns its bytes, 0 = none waits. */
  read(packet: Uint8Array): number;
  write(packet: Uint8Array): boolean;
  /** Blocks until a packet waits or the time is over. */
  wait(timeoutMs: number): boolean;
}

export function openTunPort(device: string): PacketPort {
  return Tun.open(device);
}

const frameBytesMax = 2048;
const ethernetBytes = 14;
const vlanTagBytes = 4;
const etherTypeIpv4 = 0x0800;
const etherTypeIpv6 = 0x86dd;

/**
 * The far end of a veth pair. Answers go back to the Ethernet address that asked last (there is one host at the
 * other end); with VLAN tags, given as EtherType and id, they carry these (priority 0), outermost first.
 */
export class VethPort implements PacketPort {
  readonly #socket: FrameSocket;
  readonly #received = new Uint8Array(frameBytesMax);
  readonly #frame = new Uint8Array(frameBytesMax);
  readonly #headerBytes: number;

  constructor(device: string, tags: readonly VlanTag[]) {
    this.#socket = FrameSocket.open(device);
    this.#headerBytes = ethernetBytes + tags.length * vlanTagBytes;
    this.#frame.set(
      responderEthernet.split(":").map((byte) => Number.parseInt(byte, 16)),
      6,
    );
    const bytes = tags.flat().flatMap((half) => [half >> 8, half & 0xff]);
    this.#frame.set(bytes, 12);
  }

  read(packet: Uint8Array): number {
    const bytes = this.#socket.read(this.#received) - ethernetBytes;
    const etherType = ((this.#received[12] ?? 0) << 8) | (this.#received[13] ?? 0);
    if (bytes <= 0 || (etherType !== etherTypeIpv4 && etherType !== etherTypeIpv6)) {
      return 0;
    }
    packet.set(this.#received.subarray(ethernetBytes, ethernetBytes + bytes));
    this.#frame.set(this.#received.subarray(6, 12), 0);
    return bytes;
  }

  write(packet: Uint8Array): boolean {
    const etherType = (packet[0] ?? 0) >> 4 === 4 ? etherTypeIpv4 : etherTypeIpv6;
    this.#frame[this.#headerBytes - 2] = etherType >> 8;
    this.#frame[this.#headerBytes - 1] = etherType & 0xff;
    this.#frame.set(packet, this.#headerBytes);
    return this.#socket.write(this.#frame.subarray(0, this.#headerBytes + packet.length));
  }

  wait(timeoutMs: number): boolean {
    return this.#socket.wait(timeoutMs);
  }
}
