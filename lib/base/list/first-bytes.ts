/** Looks at the first bytes of a stream without taking them from it. */

interface Begun {
  /** Empty where the stream is. */
  readonly first: Uint8Array;
  /** The whole stream, from its start. */
  readonly all: AsyncGenerator<Uint8Array, void>;
}

/**
 * Waits for chunks until `isEnough` holds for the bytes so far, or the stream ends. An error behind the first bytes is
 * that of the whole stream, so that they can be used.
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
