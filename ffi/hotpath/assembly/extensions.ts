/** ICMP extensions and their MPLS labels: tests/packet/extensions.ts defines where they are and what is valid. */
import { onesComplementSum } from "./checksum";
import { endAt, ipv4, payloadAt, wireEndAt } from "./raw-reply";

const legacyQuoteBytes: usize = 128;
export const labelsMax: i32 = 16;

/** What is at a place. */
const stateNone: i32 = 0;
const stateCut: i32 = 1;
const stateBadVersion: i32 = 2;
const stateBadChecksum: i32 = 3;
const stateUnproven: i32 = 4;
const stateProven: i32 = 5;

/** Places in `labelLosses` of tests/packet/extensions.ts. */
export const lossNone: i32 = -1;
const lossBadVersion: i32 = 0;
const lossBadChecksum: i32 = 1;
const lossCut: i32 = 2;
const lossMalformed: i32 = 3;
const lossTooMany: i32 = 4;

/** Where the quote ends and the extension begins; 0 = all is quote. Set by `findExtension`. */
export let extensionAt: usize = 0;
/** Set by `findExtension` and `copyLabels`. */
export let labelLoss: i32 = lossNone;
let valid: bool = false;

export function noExtension(): void {
  extensionAt = 0;
  labelLoss = lossNone;
  valid = false;
}

export function findExtension(type: u32): void {
  noExtension();
  const extensible = ipv4 ? type == 3 || type == 11 || type == 12 : type == 1 || type == 3;
  if (!extensible) {
    return;
  }
  const quoteAt = payloadAt + 8;
  const declaredBytes = <usize>(ipv4 ? <u32>load<u8>(payloadAt, 5) * 4 : <u32>load<u8>(payloadAt, 4) * 8);
  const declaredAt = quoteAt + declaredBytes;
  const isInside = declaredBytes > 0 && declaredAt <= wireEndAt;
  const isLong = declaredBytes >= legacyQuoteBytes && isInside;
  const declared = isInside ? stateAt(declaredAt) : stateNone;
  if (isLong && declared >= stateUnproven) {
    take(declaredAt);
    return;
  }
  const isShort = isInside && declaredBytes >= (ipv4 ? 28 : 48);
  const legacyAt = quoteAt + legacyQuoteBytes;
  const legacy = stateAt(legacyAt);
  if (legacy == stateProven) {
    take(legacyAt);
  } else if (isLong) {
    extensionAt = declaredAt;
    labelLoss = lossOf(declared);
  } else if (isShort && (declared == stateProven || (declared == stateUnproven && isPlain(declaredAt)))) {
    take(declaredAt);
  } else if (isBroken(legacy, legacyAt) || (isShort && isBroken(declared, declaredAt))) {
    labelLoss = lossBadChecksum;
  }
}

function take(at: usize): void {
  extensionAt = at;
  valid = true;
}

function lossOf(state: i32): i32 {
  return state == stateCut
    ? lossCut
    : state == stateBadVersion
      ? lossBadVersion
      : state == stateBadChecksum
        ? lossBadChecksum
        : lossNone;
}

function isBroken(state: i32, at: usize): bool {
  return state >= stateBadChecksum && isPlain(at);
}

function isPlain(at: usize): bool {
  return load<u16>(at) == 0x0020;
}

function stateAt(at: usize): i32 {
  if (at + 4 > wireEndAt) {
    return stateNone;
  }
  if (endAt < wireEndAt) {
    return stateCut;
  }
  if (load<u8>(at) >> 4 != 2) {
    return stateBadVersion;
  }
  if (load<u16>(at, 2) == 0) {
    return stateUnproven;
  }
  return onesComplementSum(at, endAt) == 0xffff ? stateProven : stateBadChecksum;
}

/** Writes the labels found, as big-endian stack entries, to `to`; returns their number (at most `labelsMax`). */
export function copyLabels(to: usize): i32 {
  let count = 0;
  if (!valid) {
    return count;
  }
  let at = extensionAt + 4;
  while (at + 4 <= endAt) {
    const length = <usize>bswap<u16>(load<u16>(at));
    if (length < 4 || at + length > endAt) {
      labelLoss = length == 0 || labelLoss != lossNone ? labelLoss : lossMalformed;
      break;
    }
    if (load<u16>(at, 2) == 0x0101) {
      for (let entry = at + 4; entry + 4 <= at + length; entry += 4) {
        if (count == labelsMax) {
          labelLoss = lossTooMany;
          break;
        }
        store<u32>(to + <usize>count * 4, load<u32>(entry));
        count++;
      }
    }
    at += length;
  }
  return count;
}
