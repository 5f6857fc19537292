/** Whose probe, and when it left: lib/packet/match.ts. */
import { keyCountAt } from "../memory-layout";
import {
  ipv4,
  probeDst,
  probeProtocol,
  probeSrcPort,
  probeTtl,
  tagMask,
  tagValue,
  wireTimeCode,
} from "./raw-reply";
import { mappedHigh, tagOf, tagTime } from "./tag";

const ticksPerWrap: i64 = 65535;
const staleWrapsMax: u32 = 10;

export const matchNone: i32 = -1;
export const matchStale: i32 = -2;

/** Set by `matchTag`. */
export let sentTick: i64 = 0;

/** The index of the key that fits, `matchStale` or `matchNone`. */
export function matchTag(receivedTick: i64): i32 {
  const age = (receivedTick - <i64>wireTimeCode) % ticksPerWrap;
  sentTick = receivedTick - (age < 0 ? age + ticksPerWrap : age);
  const wrap: u32 = sentTick < 0 ? 0xffffffff : <u32>(sentTick / ticksPerWrap);
  const fresh = findKey(wrap);
  if (fresh >= 0) {
    return fresh;
  }
  for (let back: u32 = 1; back <= staleWrapsMax; back++) {
    if (findKey(wrap - back) >= 0) {
      return matchStale;
    }
  }
  return matchNone;
}

function findKey(wrap: u32): i32 {
  const dst0: u64 = ipv4 ? 0 : load<u64>(probeDst);
  const dst1: u64 = ipv4 ? mappedHigh(probeDst) : load<u64>(probeDst, 8);
  const word = probeSrcPort | ((<u32>probeTtl) << 16) | (probeProtocol << 24);
  const time = tagTime(wireTimeCode, wrap);
  const count = tagMask == 0 ? 0 : <i32>load<u32>(keyCountAt);
  for (let key = 0; key < count; key++) {
    if ((tagOf(key, dst0, dst1, word, time) & tagMask) == tagValue) {
      return key;
    }
  }
  return matchNone;
}
