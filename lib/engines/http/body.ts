/**
 * Request bodies with limits, plain or gzip.
 *
 * The limit holds for the decoded bytes and is kept while they arrive, so a body that lies about its length, or a few
 * KB that unpack to gigabytes, fail as soon as they exceed it. The pace of the client is limited too (paced-body.ts).
 */
import { jsonPace, pieceBytesMax } from "./limits.ts";
import { LoopYield } from "./loop-yield.ts";
import { type BodyPace, pacedChunks } from "./paced-body.ts";
import { Problem } from "./problem.ts";
import { tooSlow } from "./too-slow.ts";

export interface BodyLimits {
  /** Decoded. */
  readonly bytesMax: number;
  /** Default: that of an ordinary JSON body. */
  readonly pace?: BodyPace;
  /** Its abort ends the reading: the reason is thrown. */
  readonly signal?: AbortSignal;
  /** Called with the number of bytes before they are kept; an error that it throws ends the reading. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * The body's decoded bytes in pieces of at most 256 KiB; nothing for a request without body.
 * Throws Problem: 413 `content_too_large`, 415 `unsupported_encoding`, 400 `malformed_gzip` and `broken_body`, 408
 * `body_too_slow`.
 */
export async function* bodyChunks(
  request: Request,
  { bytesMax, pace = jsonPace, signal }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  const isPacked = isGzip(request);
  checkLength(request, bytesMax);
  if (request.body === null) {
    return;
  }
  const loopYield = new LoopYield();
  let bytes = 0;
  for await (const chunk of decoded(pacedChunks(request.body, pace, signal), isPacked)) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw tooLarge(bytesMax);
    }
    for (let at = 0; at < chunk.length; at += pieceBytesMax) {
      yield chunk.subarray(at, at + pieceBytesMax);
      await loopYield.next();
    }
  }
}

/** The whole body. Throws as bodyChunks. */
export async function bodyBytes(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const { bytesMax, pace = jsonPace, onBytes = () => {} } = limits;
  // The server enforces the declared length, so counting is not needed.
  if (request.headers.has("content-length") && !isGzip(request)) {
    checkLength(request, bytesMax);
    onBytes(Number(request.headers.get("content-length")));
    return inTime(request.bytes().catch(throwBroken), pace.deadlineMs);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyChunks(request, limits)) {
    onBytes(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function inTime<Value>(value: Promise<Value>, deadlineMs: number): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(tooSlow(`it has taken more than ${deadlineMs / 1000} s`)),
    deadlineMs,
  );
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function* decoded(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  isPacked: boolean,
): AsyncGenerator<Uint8Array> {
  try {
    yield* isPacked ? streamOf(chunks).pipeThrough(new DecompressionStream("gzip")) : chunks;
  } catch (cause) {
    if (cause instanceof Problem) {
      throw cause;
    }
    if (isPacked) {
      const message = "Cannot unpack the body: it is not a complete gzip stream";
      throw new Problem({ status: 400, code: "malformed_gzip", message, cause });
    }
    throwBroken(cause);
  }
}

function streamOf(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

function isGzip(request: Request): boolean {
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") {
    throw new Problem({
      status: 415,
      code: "unsupported_encoding",
      message: "Cannot read this Content-Encoding: send the body plain or as gzip",
      headers: { "accept-encoding": "gzip" },
    });
  }
  return encoding === "gzip";
}

/** Compressed or not: compression adds a few bytes at most. */
function checkLength(request: Request, bytesMax: number): void {
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) {
    throw tooLarge(bytesMax);
  }
}

function tooLarge(bytesMax: number): Problem {
  return new Problem({
    status: 413,
    code: "content_too_large",
    message: `Cannot take the body: it has more than ${bytesMax} bytes`,
    extra: { bytes_max: bytesMax },
  });
}

function throwBroken(cause: unknown): never {
  throw new Problem({
    status: 400,
    code: "broken_body",
    message: "The body ended early",
    cause,
  });
}
