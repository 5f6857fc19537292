/**
 * Memory shared by the sender, the thread in the kernel's call, and the program. One page is the value of a
 * map; the orders after it are only for the thread. All u32; counters wrap.
 *
 *     0     producer: frames that the sender has put on the ring
 *     64    consumer: frames that the program has taken off it
 *     128   left: runs left of the call; the thread sets it, each run takes one
 *     132   call: number of the call, from 1; the thread sets it
 *     192   taking: the number of the call while it takes frames; 0 = it ends soon
 *     196   lost: frames that no packet could be made of
 *     256   ring, a word for each frame: slot of the hot path's memory u16 | bytes u16
 *     4096  order to the thread | program's descriptor | errno of its last call, 0 = none | calls that have begun |
 *           core of the call under way
 */
import { batchProbesMax, frameSlotBytes, frameStartOffset } from "../hotpath/memory-layout.ts";
import { pagedMemory } from "../paged-memory.ts";

const liveMemoryBytes = 65_536;
export const controlBytes = 4096;
export const producerAt = 0;
export const consumerAt = 64;
export const leftAt = 128;
export const callAt = 132;
export const takingAt = 192;
export const lostAt = 196;
export const ringAt = 256;
/** A power of two; never full. */
export const ringFrames = 256;

export const orderAt = 4096;
export const programAt = 4100;
export const failureAt = 4104;
export const callsAt = 4108;
export const coreAt = 4112;
export const liveOrder = { rest: 0, run: 1, end: 2 } as const;

/** The longest frame that fits into a slot. */
export const liveFrameBytesMax = frameSlotBytes - frameStartOffset;
/** The verifier takes a frame to be as long as the mask of its length. */
export const frameMapBytes = batchProbesMax * frameSlotBytes + 4096;

/** Memory for one sender, on pages of its own, so that a map can replace it. */
export function allocateLiveMemory(): SharedArrayBuffer {
  return pagedMemory(liveMemoryBytes);
}
