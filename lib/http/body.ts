/**
 * Request bodies with limits, plain or gzip.
 *
 * The limit holds for the decoded bytes and is kept while they arrive, so a body that lies about its length, or a few
 * KB that unpack to gigabytes, end as soon as they pass it.
 */
import { Problem } from "./problem.ts";

/**
 * The body's decoded bytes in the pieces they come in; nothing for a request without body.
 * Throws Problem: 413 `content_too_large`, 415 `unsupported_encoding`, 400 `malformed_gzip` and `broken_body`.
 */
export async function* bodyChunks(
  request: Request,
  { bytesMax }: { readonly bytesMax: number },
): AsyncGenerator<Uint8Array> {
  const isPacked = isGzip(request);
  checkLength(request, bytesMax);
  if (request.body === null) {
    return;
  }
  let bytes = 0;
  for await (const chunk of decoded(request.body, isPacked)) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw tooLarge(bytesMax);
    }
    yield chunk;
  }
}

/** The whole body. Throws as bodyChunks. */
export async function bodyBytes(
  request: Request,
  { bytesMax }: { readonly bytesMax: number },
): Promise<Uint8Array> {
  // A server has made sure that no more follows than the length says: no need to count.
  if (request.headers.has("content-length") && !isGzip(request)) {
    checkLength(request, bytesMax);
    return request.bytes().catch(throwBroken);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyChunks(request, { bytesMax })) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* decoded(body: NonNullable<Request["body"]>, isPacked: boolean): AsyncGenerator<Uint8Array> {
  const stream = isPacked ? body.pipeThrough(new DecompressionStream("gzip")) : body;
  try {
    yield* stream;
  } catch (cause) {
    if (isPacked) {
      const message = "Cannot unpack the body: it is no whole gzip stream";
      throw new Problem({ status: 400, code: "malformed_gzip", message, cause });
    }
    throwBroken(cause);
  }
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

/** Packed or not: no body is longer packed than plain by more than a few bytes. */
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
    message: "The body ended before it was whole",
    cause,
  });
}
