/** Identifies an answer's probe and its send time: tests/packet/match.ts. */
import { echoTargetsAt, keyCountAt } from "../memory-layout";
import {
  ipv4,
  isRemembered,
  probeDst,
  probeDstPort,
  probeProtocol,
  probeSrc,
  probeSrcPort,
  probeTtl,
  setProbeDst,
  tagMask,
  tagValue,
  tcp,
  wireTimeCode,
} from "./raw-reply";
import { mappedHigh, mixed, tagOf, tagTime, tcpPrint } from "./tag";

/** `TcpProof.hasLeft` of lib/net/packet/tag.ts; a tick has more than 32 bits. Imported as `match.hasLeft`. */
declare function hasLeft(key: i32, sentTick: f64, print: u32): bool;
/** `EchoTargets.copy` of lib/net/packet/tag.ts, to `echoTargetsAt`. Imported as `match.echoTargets`. */
declare function echoTargets(key: i32, sentTick: f64): i32;

const ticksPerWrap: i64 = 65535;
const staleWrapsMax: u32 = 10;

export const matchNone: i32 = -1;
export const matchStale: i32 = -2;
export const matchUntagged: i32 = -3;
export const matchTcpUnproven: i32 = -4;

/** Set by `matchTag`. */
export let sentTick: i64 = 0;

/** The index of the matching key, or one of the `match…` constants. */
export function matchTag(receivedTick: i64): i32 {
  if (tagMask == 0 && !isRemembered) {
    return matchUntagged;
  }
  const isTcp = probeProtocol == tcp;
  const fresh = matchFresh(receivedTick, isRemembered);
  if (fresh >= 0) {
    return fresh;
  }
  const wrap = wrapOfSent();
  const mayBeStale = (tagMask & 0xffff) == 0xffff;
  for (let back: u32 = 1; mayBeStale && back <= staleWrapsMax; back++) {
    if (findKey(wrap - back, false) >= 0) {
      return matchStale;
    }
  }
  return isTcp ? matchTcpUnproven : matchNone;
}

/** The same for the last wrap alone. */
export function matchFresh(receivedTick: i64, askSender: bool): i32 {
  const age = (receivedTick - <i64>wireTimeCode) % ticksPerWrap;
  sentTick = receivedTick - (age < 0 ? age + ticksPerWrap : age);
  return findKey(wrapOfSent(), askSender);
}

function wrapOfSent(): u32 {
  return sentTick < 0 ? 0xffffffff : <u32>(sentTick / ticksPerWrap);
}

/** The first key whose tag matches and, with `askSender`, whose sender remembers the probe. */
function findKey(wrap: u32, askSender: bool): i32 {
  const dst0: u64 = ipv4 ? 0 : load<u64>(probeDst);
  const dst1: u64 = ipv4 ? mappedHigh(probeDst) : load<u64>(probeDst, 8);
  const word = probeSrcPort | ((<u32>probeTtl) << 16) | (probeProtocol << 24);
  const time = tagTime(wireTimeCode, wrap);
  const count = <i32>load<u32>(keyCountAt);
  for (let key = 0; key < count; key++) {
    const tag = tagOf(key, dst0, dst1, word, time);
    if ((tag & tagMask) == tagValue && (!askSender || hasLeft(key, <f64>sentTick, printOf(tag)))) {
      return key;
    }
  }
  return matchNone;
}

/**
 * For an echo reply that no key matches: the key of the instance that probed another address in this tick, which
 * becomes the probe's destination. IPv4 addresses are mapped.
 */
export function matchElsewhere(): i32 {
  const word = probeSrcPort | ((<u32>probeTtl) << 16) | (probeProtocol << 24);
  const time = tagTime(wireTimeCode, <u32>(sentTick / ticksPerWrap));
  const count = <i32>load<u32>(keyCountAt);
  for (let key = 0; key < count && sentTick >= 0; key++) {
    const end: usize = echoTargetsAt + echoTargets(key, <f64>sentTick) * 16;
    for (let at: usize = echoTargetsAt; at < end; at += 16) {
      if (tagOf(key, load<u64>(at), load<u64>(at, 8), word, time) == tagValue) {
        setProbeDst(ipv4 ? at + 12 : at);
        return key;
      }
    }
  }
  return matchNone;
}

function printOf(tag: u64): u32 {
  return tcpPrint(tag, ipv4 ? 0xffff0000 ^ load<u32>(probeSrc) : mixed(probeSrc), probeDstPort);
}
