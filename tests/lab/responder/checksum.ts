/** The Internet checksum (RFC 1071), written apart from the one under test so that they can disagree. */

/** Sum of 16-bit words in network order, an odd last byte padded with zero; not folded. */
export function wordSum(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0;
  for (let i = start; i + 1 < end; i += 2) {
    sum += ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0);
  }
  return (end - start) % 2 === 0 ? sum : sum + ((bytes[end - 1] ?? 0) << 8);
}

/** The checksum that belongs in the header whose words, checksum zero, add up to `sum`. */
export function finishChecksum(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) {
    folded = (folded & 0xffff) + Math.floor(folded / 0x10000);
  }
  return ~folded & 0xffff;
}
