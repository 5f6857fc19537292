/** The engine's response as a reader gets it: its bytes, and of its headers those that clients need. */

import { resultBytesMax } from "./limits.ts";

/** How many rows the engine has read would show how many others have: it is not passed on. */
const passedOn = [
  "content-type",
  "x-clickhouse-format",
  "x-clickhouse-timezone",
  "x-clickhouse-exception-code",
];

const uncached = { "cache-control": "private, no-store", "x-clickhouse-server-display-name": "vantage" };

interface How {
  readonly isGzip: boolean;
  /** Older measurements are not among the rows. */
  readonly leftOut: boolean;
}

export function answerHeaders(response: Response, { isGzip, leftOut }: How): Headers {
  const headers = new Headers(uncached);
  for (const name of passedOn) {
    const value = response.headers.get(name);
    if (value !== null) {
      headers.set(name, value);
    }
  }
  if (isGzip) {
    headers.set("content-encoding", "gzip");
    headers.set("vary", "accept-encoding");
  }
  if (leftOut) {
    headers.set("vantage-measurements-left-out", "older");
  }
  return headers;
}

export async function* bodyPieces(
  { body }: Response,
  isGzip: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) {
    return;
  }
  const counted = body.pipeThrough(limit());
  yield* isGzip ? counted.pipeThrough(new CompressionStream("gzip")) : counted;
}

/** Fails beyond the limit, which breaks the response off. */
function limit(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.length;
      if (bytes > resultBytesMax) {
        controller.error(new Error(`A result of SQL has more than ${resultBytesMax} bytes`));
      } else {
        controller.enqueue(piece);
      }
    },
  });
}
