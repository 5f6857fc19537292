/** The Internet checksum (RFC 1071) of bytes in network order; an odd last byte counts as the high half. */
export function internetChecksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const [i, byte] of bytes.entries()) {
    sum += i % 2 === 0 ? byte << 8 : byte;
  }
  while (sum > 0xffff) {
    sum = (sum & 0xffff) + Math.floor(sum / 0x10000);
  }
  return 0xffff - sum;
}
