/**
 * A response body that is produced on demand: a slow or disconnected reader causes no work.
 *
 * An error in the middle closes the connection, so that a partial response never appears complete.
 */

interface PulledBody {
  /** Pieces of the body, one in memory at a time. */
  readonly texts: AsyncGenerator<string | Uint8Array, void, undefined>;
  /** Called once, with the error that ended it, or null at the end or when the reader has disconnected. */
  readonly onEnd: (error: unknown) => void;
  /** Called with the bytes of each piece that the reader has taken. */
  readonly onTaken?: (bytes: number) => void;
  /** Cuts the response off, whether or not it is being read. */
  readonly cut?: AbortSignal;
  /** The request's signal: a reader may be gone before it has read anything. */
  readonly reader?: AbortSignal;
}

export function pulledBody({ texts, onTaken, cut, reader, ...ends }: PulledBody): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  let isEnded = false;
  const onEnd = (error: unknown) => {
    if (!isEnded) {
      isEnded = true;
      ends.onEnd(error);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const breakOff = () => {
          onEnd(null);
          controller.error();
          texts.return().catch(onEnd);
        };
        whenAborted(reader, () => onEnd(null));
        whenAborted(cut, breakOff);
      },
      async pull(controller) {
        try {
          const next = await texts.next();
          if (next.done === true) {
            controller.close();
            onEnd(null);
          } else {
            const { value } = next;
            const bytes = typeof value === "string" ? utf8.encode(value) : value;
            onTaken?.(bytes.length);
            controller.enqueue(bytes);
          }
        } catch (error) {
          onEnd(error);
          // The server would print the error passed here; the log already has it.
          controller.error();
        }
      },
      async cancel() {
        onEnd(null);
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

function whenAborted(signal: AbortSignal | undefined, act: () => void): void {
  signal?.addEventListener("abort", act, { once: true });
  if (signal?.aborted === true) {
    act();
  }
}
