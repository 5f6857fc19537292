/** The tag of a probe: see lib/net/packet/tag.ts. */
import { keyBytes, keysAt } from "../memory-layout";
import { sipHash24 } from "./siphash";

/** Words 0 and 1 of the tag's input for an IPv4 address at `at`: mapped, `::ffff:a.b.c.d`. */
export function mappedHigh(at: usize): u64 {
  return ((<u64>load<u32>(at)) << 32) | 0xffff0000;
}

/** Time code and wrap as the tag covers them. A code of 0 is one of 65535. */
export function tagTime(wireCode: u32, wrap: u32): u32 {
  return (wireCode == 0 ? 0xffff : wireCode) | (wrap << 16);
}

/** See `tcpPrint` in lib/net/packet/tag.ts; `srcMixed` is the XOR of the four words of the source. */
export function tcpPrint(tag: u64, srcMixed: u32, dstPort: u32): u32 {
  return <u32>(tag >> 32) ^ srcMixed ^ (dstPort * 0x9e3779b1);
}

/** XOR of the four words of an address of 16 bytes. */
export function mixed(at: usize): u32 {
  return load<u32>(at) ^ load<u32>(at, 4) ^ load<u32>(at, 8) ^ load<u32>(at, 12);
}

export function tagOf(key: i32, dst0: u64, dst1: u64, portTtlProtocol: u32, time: u32): u64 {
  const at: usize = keysAt + key * keyBytes;
  const word = <u64>portTtlProtocol | ((<u64>time) << 32);
  return sipHash24(load<u64>(at), load<u64>(at, 8), dst0, dst1, word);
}
