/**
 * Unpacks gzip (RFC 1952), with several members too, as a stream: memory holds a few chunks, however large the output.
 */
import { once } from "node:events";
import { createGunzip, type Gunzip } from "node:zlib";

/**
 * Zero bytes after the last member are skipped, as by gzip: files from tapes and some servers are padded. Rejects with
 * zlib's error on damaged bytes, and with any error of `chunks`.
 */
export async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip();
  const feeder = new Feeder(gunzip);
  const feeding = feeder.feed(chunks);
  // A reader gets this error below; one that has stopped reading does not need it.
  feeding.catch((cause: Error) => gunzip.destroy(cause));
  try {
    for await (const chunk of gunzip) {
      yield chunk;
      feeder.endWhenRead();
    }
  } catch (error) {
    throw isWrongHeader(error) ? new Error(otherBytes, { cause: error }) : error;
  } finally {
    gunzip.destroy();
  }
  if ((await feeding) > gunzip.bytesWritten) {
    throw new Error(otherBytes);
  }
}

const otherBytes = "other bytes than gzip follow its end";

/** The first header is right: `unpacked` knows gzip by it. */
function isWrongHeader(error: unknown): boolean {
  return error instanceof Error && error.message.includes("incorrect header check");
}

class Feeder {
  readonly #gunzip: Gunzip;
  #isFed = false;

  constructor(gunzip: Gunzip) {
    this.#gunzip = gunzip;
  }

  /** Resolves to the bytes up to the last one that is not zero. */
  async feed(chunks: AsyncIterable<Uint8Array>): Promise<number> {
    let [read, used] = [0, 0];
    for await (const chunk of chunks) {
      const last = chunk.findLastIndex((byte) => byte !== 0);
      used = last < 0 ? used : read + last + 1;
      read += chunk.length;
      await taken(this.#gunzip, chunk);
    }
    this.#isFed = true;
    this.endWhenRead();
    return used;
  }

  /** An error at the end, as in a truncated file, drops what has not been read. */
  endWhenRead(): void {
    if (this.#isFed && this.#gunzip.readableLength === 0) {
      this.#gunzip.end();
    }
  }
}

/** Resolves when the chunk is unpacked; after the last member has ended, nothing more is. */
async function taken(gunzip: Gunzip, chunk: Uint8Array): Promise<void> {
  if (gunzip.destroyed || gunzip.readableEnded) {
    return;
  }
  const waiting = new AbortController();
  const first = (event: string) => once(gunzip, event, { signal: waiting.signal });
  const { promise: written, resolve } = Promise.withResolvers<void>();
  gunzip.write(chunk, () => resolve());
  const ends = ["close", "end"].map((event) => first(event).catch(() => undefined));
  await Promise.race([written, ...ends]);
  waiting.abort();
}
