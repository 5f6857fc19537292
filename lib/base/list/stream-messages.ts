/** Cuts a stream of bytes into length-prefixed messages, however it is split into chunks. */

/**
 * Length in bytes of the message that begins here; null while its length field is incomplete. Throws if there can be
 * none.
 */
type LengthAt = (bytes: Uint8Array, at: number) => number | null;

/**
 * Whole messages with their heads, one batch per chunk; a batch is valid until the next one is read.
 *
 * @throws RangeError when the stream ends within a message; and as `lengthAt` does, after the messages before
 */
export async function* streamMessages(
  chunks: AsyncIterable<Uint8Array>,
  lengthAt: LengthAt,
): AsyncGenerator<Uint8Array[]> {
  const rest = new Rest();
  for await (const chunk of chunks) {
    const bytes = rest.with(chunk);
    if (bytes === null) {
      continue;
    }
    const { messages, end, needed, failure } = cut(bytes, lengthAt);
    if (messages.length > 0) {
      yield messages;
    }
    if (failure !== null) {
      throw failure;
    }
    rest.keep(bytes.subarray(end), needed);
  }
  if (rest.length > 0) {
    throw new RangeError("the stream ends within a message");
  }
}

/**
 * The start of a message. It grows by doubling, and is read when the message is complete: to join it with each chunk
 * would copy a long message as often as it has bytes, when it comes byte by byte.
 */
class Rest {
  #bytes = new Uint8Array(0);
  #needed = 0;
  length = 0;

  /** All bytes so far; null = they are not a whole message yet. Valid until the next call of `keep`. */
  with(chunk: Uint8Array): Uint8Array | null {
    if (this.length === 0) {
      return chunk;
    }
    const length = this.length + chunk.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(2 * length);
      larger.set(this.#bytes.subarray(0, this.length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.length);
    this.length = length;
    return length < this.#needed ? null : this.#bytes.subarray(0, length);
  }

  /** `needed`: bytes of the whole message; null = unknown. */
  keep(bytes: Uint8Array, needed: number | null): void {
    this.#bytes = Uint8Array.from(bytes);
    this.length = bytes.length;
    this.#needed = needed ?? 0;
  }
}

/** The whole messages at the start, where they end, how long the next one is, and why nothing can follow. */
function cut(bytes: Uint8Array, lengthAt: LengthAt) {
  const messages: Uint8Array[] = [];
  let end = 0;
  try {
    let length = lengthAt(bytes, 0);
    while (length !== null && end + length <= bytes.length) {
      messages.push(bytes.subarray(end, end + length));
      end += length;
      length = lengthAt(bytes, end);
    }
    return { messages, end, needed: length, failure: null };
  } catch (failure) {
    return { messages, end, needed: null, failure };
  }
}
