/** IP packets: RFC 791 with options, RFC 8200 with extension headers. */
import { type Address, familyOf } from "../../../lib/net/ip/address.ts";
import { checksum, concat, patched, u16, zeros } from "./bytes.ts";

export interface IpPart {
  readonly src: Address;
  readonly dst: Address;
  readonly protocolNumber: number;
  readonly payload: Uint8Array;
  readonly ttl?: number;
  /** IPv4 only. */
  readonly id?: number;
  /** IPv4 only: a multiple of 4 bytes. */
  readonly options?: readonly number[];
  /** IPv4 only: flags and offset in units of 8 bytes. */
  readonly fragmentField?: number;
  /** IPv6 only: headers between the IPv6 header and the payload, each as [its number, its bytes from byte 1 on]. */
  readonly extensions?: readonly (readonly [number, readonly number[]])[];
}

export function ipPacket(part: IpPart): Uint8Array {
  return familyOf(part.dst) === 4 ? ipv4(part) : ipv6(part);
}

function ipv4(part: IpPart): Uint8Array {
  const options = part.options ?? [];
  const headerBytes = 20 + options.length;
  const header = concat(
    [0x40 | (headerBytes / 4), 0, ...u16(headerBytes + part.payload.length), ...u16(part.id ?? 0)],
    [...u16(part.fragmentField ?? 0), part.ttl ?? 64, part.protocolNumber, 0, 0],
    part.src.slice(12),
    part.dst.slice(12),
    options,
  );
  return concat(patched(header, 10, u16(checksum(header))), part.payload);
}

function ipv6(part: IpPart): Uint8Array {
  const extensions = part.extensions ?? [];
  const numbers = [...extensions.map(([number]) => number), part.protocolNumber];
  const chain = extensions.flatMap(([, rest], i) => [numbers[i + 1] ?? 0, ...rest]);
  return concat(
    [0x60, 0, 0, 0, ...u16(chain.length + part.payload.length), numbers[0] ?? 0, part.ttl ?? 64],
    part.src,
    part.dst,
    chain,
    part.payload,
  );
}

/** The sum that ICMPv6, UDP and TCP put before their own bytes (RFC 8200 s.8.1, RFC 9293 s.3.1). */
export function pseudoHeader(src: Address, dst: Address, protocolNumber: number, length: number): Uint8Array {
  const from = familyOf(dst) === 4 ? 12 : 0;
  return concat(src.slice(from), dst.slice(from), u16(length), zeros(1), [protocolNumber]);
}
