/** Peeks at a stream's first bytes. */

interface Begun {
  /** Empty if the stream is. */
  readonly first: Uint8Array;
  /** The whole stream, with its peeked bytes put back. */
  readonly all: AsyncGenerator<Uint8Array, void>;
}

/**
 * Waits for chunks until `isEnough` accepts the bytes so far, or the stream ends. A later error is left to the whole
 * stream, so that the first bytes can be used.
 */
export async function begun(
  chunks: AsyncIterable<Uint8Array>,
  isEnough: (first: Uint8Array) => boolean,
): Promise<Begun> {
  const iterator = chunks[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array(0);
  try {
    while (first.length === 0 || !isEnough(first)) {
      const next = await iterator.next();
      if (next.done === true) {
        break;
      }
      first = first.length === 0 ? Uint8Array.from(next.value) : Buffer.concat([first, next.value]);
    }
  } catch (error) {
    if (first.length === 0) {
      throw error;
    }
    return { first, all: withFirst(first, iterator, { error }) };
  }
  return { first, all: withFirst(first, iterator, null) };
}

async function* withFirst(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  failure: { readonly error: unknown } | null,
): AsyncGenerator<Uint8Array, void> {
  try {
    if (first.length > 0) {
      yield first;
    }
    if (failure !== null) {
      throw failure.error;
    }
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}
