/**
 * Encryption of part files: AES-256-GCM by WebCrypto, in chunks, each bound to its place (the STREAM construction of
 * Hoang, Reyhanitabar, Rogaway and Vizár, as age uses it). A chunk that is changed, moved, repeated or missing, also at
 * the end, is detected.
 *
 *   bytes   what
 *   4       "VanB"
 *   32      random salt: the file's key is HKDF-SHA-256 of the backup's key with it
 *   65,552  ciphertext of 65,536 bytes and its tag; the last chunk may be shorter
 *
 * A chunk's nonce: 11 bytes count the chunks, big endian; the last byte is 1 for the last chunk, else 0.
 */

const magic = new TextEncoder().encode("VanB");
const saltBytes = 32;
const chunkBytes = 65_536;
const tagBytes = 16;
const purpose = new TextEncoder().encode("vantage backup part");

/** Key of a backup: 32 random bytes, from which each file gets its own. */
export const backupKeyBytes = 32;

export async function* sealed(
  content: AsyncIterable<Uint8Array>,
  backupKey: Uint8Array<ArrayBuffer>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
  const key = await fileKey(backupKey, salt);
  yield Buffer.concat([magic, salt]);
  for await (const { bytes, index, isLast } of chunksOf(content, chunkBytes)) {
    yield new Uint8Array(await crypto.subtle.encrypt(settings(index, isLast), key, bytes));
  }
}

/** Rejects with an Error on another key, and on anything that `sealed` has not written so. */
export async function* unsealed(
  content: AsyncIterable<Uint8Array>,
  backupKey: Uint8Array<ArrayBuffer>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = content[Symbol.asyncIterator]();
  const { head, rest } = await headOf(source, magic.length + saltBytes);
  if (head.length < magic.length + saltBytes || !magic.every((byte, i) => head[i] === byte)) {
    throw new Error("it is not an encrypted part of a backup");
  }
  const key = await fileKey(backupKey, head.subarray(magic.length));
  for await (const { bytes, index, isLast } of chunksOf(rest, chunkBytes + tagBytes)) {
    yield await opened(key, bytes, { index, isLast });
  }
}

interface Place {
  readonly index: number;
  readonly isLast: boolean;
}

async function opened(key: CryptoKey, bytes: Uint8Array<ArrayBuffer>, { index, isLast }: Place) {
  try {
    return new Uint8Array(await crypto.subtle.decrypt(settings(index, isLast), key, bytes));
  } catch (cause) {
    throw new Error("it is damaged, truncated, or encrypted with another key", { cause });
  }
}

async function fileKey(
  backupKey: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
): Promise<CryptoKey> {
  const whole = await crypto.subtle.importKey("raw", backupKey, "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt, info: purpose };
  return await crypto.subtle.deriveKey(derivation, whole, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
}

function settings(index: number, isLast: boolean) {
  const nonce = new Uint8Array(12);
  // Bytes 3 to 10 of it: 2^53 chunks are more than any file has.
  new DataView(nonce.buffer).setBigUint64(3, BigInt(index));
  nonce[11] = isLast ? 1 : 0;
  return { name: "AES-GCM", iv: nonce };
}

interface Chunk extends Place {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Pieces of `size` bytes; the last one, which may be shorter and is empty only if all is, is known to be it. */
async function* chunksOf(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Chunk, void> {
  const buffer = new Uint8Array(size);
  let [length, index] = [0, 0];
  for await (const piece of content) {
    for (let at = 0; at < piece.length; ) {
      if (length === size) {
        yield { bytes: buffer.slice(0, size), index: index++, isLast: false };
        length = 0;
      }
      const taken = Math.min(size - length, piece.length - at);
      buffer.set(piece.subarray(at, at + taken), length);
      [length, at] = [length + taken, at + taken];
    }
  }
  yield { bytes: buffer.slice(0, length), index, isLast: true };
}

async function headOf(source: AsyncIterator<Uint8Array>, size: number) {
  let head = new Uint8Array(0);
  while (head.length < size) {
    const next = await source.next();
    if (next.done === true) {
      break;
    }
    head = new Uint8Array(Buffer.concat([head, next.value]));
  }
  const behind = head.slice(size);
  async function* rest(): AsyncGenerator<Uint8Array, void> {
    yield behind;
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      yield next.value;
    }
  }
  return { head: head.slice(0, size), rest: rest() };
}
