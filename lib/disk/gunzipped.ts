/** Unpacks gzip (RFC 1952), several members too, as a stream: memory holds some pieces, however much comes out. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

/** Whether a file with these first bytes is gzip. */
export function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

/** Rejects with zlib's error on damaged bytes, and with any error of `chunks`. */
export async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip();
  const moving = pipeline(Readable.from(chunks), gunzip);
  // A reader gets this error below; one that has stopped reading does not need it.
  moving.catch(() => undefined);
  yield* gunzip;
  await moving;
}
