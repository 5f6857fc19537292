/** ICMP extensions and the MPLS labels in them: lib/packet/extensions.ts says what is valid. */
import { endAt, ipv4, payloadAt, wireEndAt } from "./raw-reply";

const legacyQuoteBytes: usize = 128;
export const labelsMax: i32 = 16;

/** Where the extension structure of the packet stands; 0 = none. Set by `findExtension`. */
export let extensionAt: usize = 0;
let valid: bool = false;

export function noExtension(): void {
  extensionAt = 0;
  valid = false;
}

export function findExtension(type: u32): void {
  noExtension();
  const extensible = ipv4 ? type == 3 || type == 11 || type == 12 : type == 1 || type == 3;
  if (!extensible) {
    return;
  }
  const quoteBytes = <usize>(ipv4 ? <u32>load<u8>(payloadAt, 5) * 4 : <u32>load<u8>(payloadAt, 4) * 8);
  const legacy = quoteBytes == 0;
  const at = payloadAt + 8 + (legacy ? legacyQuoteBytes : quoteBytes);
  const structure = isStructure(at, legacy);
  if (legacy ? structure : at <= wireEndAt) {
    extensionAt = at;
    valid = structure;
  }
}

function isStructure(at: usize, legacy: bool): bool {
  if (endAt < wireEndAt || at + 4 > endAt || load<u8>(at) >> 4 != 2) {
    return false;
  }
  if (load<u16>(at, 2) == 0) {
    return !legacy;
  }
  return onesSum(at, endAt) == 0xffff;
}

/** Writes the labels found, as big-endian stack entries, to `to`; returns how many (at most `labelsMax`). */
export function copyLabels(to: usize): i32 {
  let count = 0;
  if (!valid) {
    return count;
  }
  let at = extensionAt + 4;
  while (at + 4 <= endAt) {
    const length = <usize>bswap<u16>(load<u16>(at));
    if (length < 4 || at + length > endAt) {
      break;
    }
    if (load<u16>(at, 2) == 0x0101) {
      for (let entry = at + 4; entry + 4 <= at + length && count < labelsMax; entry += 4) {
        store<u32>(to + <usize>count * 4, load<u32>(entry));
        count++;
      }
    }
    at += length;
  }
  return count;
}

function onesSum(from: usize, to: usize): u32 {
  let sum: u64 = 0;
  let at = from;
  for (; at + 2 <= to; at += 2) {
    sum += bswap<u16>(load<u16>(at));
  }
  if (at < to) {
    sum += (<u64>load<u8>(at)) << 8;
  }
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return <u32>sum;
}
