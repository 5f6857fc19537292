/** One's complement sums, and the ICMP checksum: tests/packet/ones-complement-sum.ts and icmp-checksum.ts. */
import {
  endAt,
  hasMoreFragments,
  ipv4,
  payloadAt,
  replyDst,
  replyProtocol,
  replySrc,
  wireEndAt,
} from "./raw-reply";

/** In the byte order of the machine: 0xffff is the same in both (RFC 1071 s.2). */
export function onesComplementSum(from: usize, to: usize): u32 {
  let sum: u64 = 0;
  let at = from;
  for (; at + 8 <= to; at += 8) {
    const words = load<u64>(at);
    sum += (words & 0xffffffff) + (words >> 32);
  }
  for (; at + 2 <= to; at += 2) {
    sum += load<u16>(at);
  }
  if (at < to) {
    sum += load<u8>(at);
  }
  return folded(sum);
}

export function folded(sum: u64): u32 {
  let half = (sum & 0xffffffff) + (sum >> 32);
  half = (half & 0xffff) + ((half >> 16) & 0xffff) + (half >> 32);
  half = (half & 0xffff) + (half >> 16);
  return <u32>((half & 0xffff) + (half >> 16));
}

export function isIcmpChecksumWrong(): bool {
  if (endAt < wireEndAt || hasMoreFragments) {
    return false;
  }
  let sum = <u64>onesComplementSum(payloadAt, endAt);
  if (!ipv4) {
    const length = bswap<u16>(<u16>(endAt - payloadAt));
    sum += <u64>onesComplementSum(replySrc, replySrc + 16) + onesComplementSum(replyDst, replyDst + 16);
    sum += ((<u64>replyProtocol) << 8) + length;
  }
  return folded(sum) != 0xffff;
}
