/** The checksum of a captured ICMP or ICMPv6 message itself (RFC 792; RFC 4443 s.2.3, with a pseudo-header). */
import type { IpHeader } from "./ip-header.ts";
import { foldedSum, onesComplementSum } from "./ones-complement-sum.ts";

/** Also false where it is unknown: for a message that the capture has cut, or that comes in fragments. */
export function isIcmpChecksumWrong(frame: DataView, ip: IpHeader): boolean {
  if (ip.endAt < ip.wireEndAt || ip.hasMoreFragments) {
    return false;
  }
  const message = onesComplementSum(frame, ip.payloadAt, ip.endAt);
  return foldedSum(message + (ip.version === 4 ? 0 : pseudoSum(ip))) !== 0xffff;
}

function pseudoSum({ src, dst, protocolNumber, payloadAt, endAt }: IpHeader): number {
  const words = [src, dst].map((address) => new DataView(address.buffer, address.byteOffset, address.length));
  const sums = words.map((view) => onesComplementSum(view, 0, view.byteLength));
  return sums.reduce((sum, part) => sum + part, protocolNumber + endAt - payloadAt);
}
