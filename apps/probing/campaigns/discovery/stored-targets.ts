/** Lists of targets as text: read and compressed piece by piece, so that the text is never in memory as a whole. */
import { createGunzip, createGzip } from "node:zlib";
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import { inTurns, type Pace } from "../../../../lib/engines/http/pace.ts";
import { listBytesMax } from "./limits.ts";
import { type TargetList, TargetReader, targetBytesAtOnce } from "./target-list.ts";

export interface StoredTargets {
  readonly list: TargetList;
  /** The gzipped text. */
  readonly packed: Uint8Array;
}

/**
 * Throws RangeError for a bad line; then nothing is stored. Lines are parsed in the caller's turns, and charged to the
 * pace: they may arrive slowly, and must not hold its slot in the meantime. The sorting waits for its own turns.
 */
export async function storedTargets(
  chunks: AsyncIterable<Uint8Array>,
  { pace = new LoopYield(), caller }: { readonly pace?: Pace; readonly caller?: string } = {},
): Promise<StoredTargets> {
  const reader = new TargetReader();
  const gzip = createGzip({ level: 6 });
  const packed = Array.fromAsync(gzip as AsyncIterable<Uint8Array>);
  try {
    const turn = new LoopYield(caller);
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += targetBytesAtOnce) {
        const [beganAtMs, bytes] = [performance.now(), reader.list.bytes];
        reader.push(chunk.subarray(at, at + targetBytesAtOnce));
        pace.hold?.(reader.list.bytes - bytes);
        pace.charge?.(performance.now() - beganAtMs);
        await turn.next();
      }
      if (!gzip.write(chunk)) {
        await new Promise((resolve) => gzip.once("drain", resolve));
      }
    }
    gzip.end();
    return { list: await inTurns(reader.finish(), pace), packed: Buffer.concat(await packed) };
  } catch (error) {
    packed.catch(() => {});
    gzip.destroy();
    throw error;
  }
}

/** Decompresses the output of `storedTargets`. Throws RangeError for anything else. */
export async function unpackedTargets(packed: Uint8Array): Promise<TargetList> {
  const reader = new TargetReader();
  const turn = new LoopYield();
  const gunzip = createGunzip({ chunkSize: 1 << 16 });
  let bytes = 0;
  gunzip.end(packed);
  for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > listBytesMax) {
      throw new RangeError(`The stored targets have more than ${listBytesMax} bytes`);
    }
    reader.push(chunk);
    await turn.next();
  }
  return await inTurns(reader.finish(), turn);
}
