/** SipHash-2-4 over three words, like lib/net/packet/siphash.ts: a tag covers 24 bytes. */

// @inline
export function sipHash24(k0: u64, k1: u64, m0: u64, m1: u64, m2: u64): u64 {
  let v0: u64 = k0 ^ 0x736f6d6570736575;
  let v1: u64 = k1 ^ 0x646f72616e646f6d;
  let v2: u64 = k0 ^ 0x6c7967656e657261;
  let v3: u64 = k1 ^ 0x7465646279746573;
  for (let step = 0; step < 5; step++) {
    const word: u64 = step == 0 ? m0 : step == 1 ? m1 : step == 2 ? m2 : step == 3 ? (<u64>24) << 56 : 0;
    let count = 2;
    if (step == 4) {
      v2 ^= 0xff;
      count = 4;
    }
    v3 ^= word;
    for (let i = 0; i < count; i++) {
      v0 += v1;
      v1 = rotl<u64>(v1, 13) ^ v0;
      v0 = rotl<u64>(v0, 32);
      v2 += v3;
      v3 = rotl<u64>(v3, 16) ^ v2;
      v0 += v3;
      v3 = rotl<u64>(v3, 21) ^ v0;
      v2 += v1;
      v1 = rotl<u64>(v1, 17) ^ v2;
      v2 = rotl<u64>(v2, 32);
    }
    v0 ^= word;
  }
  return v0 ^ v1 ^ v2 ^ v3;
}
