/** One's complement sums of 16-bit words in network order (RFC 1071), in frames of at most 128 KiB. */

/** Folded to 16 bits; an odd last byte counts as the high half. Over bytes with a right checksum it is 0xffff. */
export function onesComplementSum(frame: DataView, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at + 1 < to; at += 2) {
    sum += frame.getUint16(at);
  }
  if ((to - from) % 2 === 1) {
    sum += frame.getUint8(to - 1) << 8;
  }
  return foldedSum(sum);
}

/** Folds a sum of at most 2^16 words. */
export function foldedSum(sum: number): number {
  const once = (sum & 0xffff) + (sum >>> 16);
  return (once & 0xffff) + (once >>> 16);
}
