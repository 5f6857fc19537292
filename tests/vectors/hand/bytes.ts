/** Big-endian bytes and Internet checksums: what packets are put together from. Shares no code with lib/net/packet. */

export function concat(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

export const u16 = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
export const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)];
export const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

/** RFC 1071: the complement of the one's complement sum of 16-bit words. */
export function checksum(bytes: Uint8Array | readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 2) {
    sum += ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0);
  }
  while (sum > 0xffff) {
    sum = (sum & 0xffff) + (sum >>> 16);
  }
  return 0xffff - sum;
}

/** A copy with these bytes at an offset. */
export function patched(bytes: Uint8Array, offset: number, values: readonly number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(values, offset);
  return copy;
}

/** Zeros behind, up to a length. */
export function padded(bytes: Uint8Array, length: number): Uint8Array {
  return concat(bytes, zeros(Math.max(0, length - bytes.length)));
}
