/** The body of a response in pieces, as they arrive. */
import { clientSide, GatewayError } from "./gateway-error.ts";
import { textLines } from "./text-lines.ts";

/** Rejects with GatewayError when the body is cut off, so a partial answer never passes as complete. */
export async function* answerBytes(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* bodyPieces(response.body);
  } catch (error) {
    throw error instanceof GatewayError
      ? error
      : clientSide("unreachable", "The answer was cut off: the output is incomplete", error);
  }
}

/** The lines of a text, also the last one without its end. Rejects as `answerBytes` does. */
export function answerLines(response: Response): AsyncGenerator<string, void, undefined> {
  return textLines(answerBytes(response));
}

/** Reads by a reader, as not every browser's stream can be iterated. Ending early cancels the stream. */
export async function* bodyPieces<Piece>(
  body: ReadableStream<Piece> | null,
): AsyncGenerator<Piece, void, undefined> {
  const reader = body?.getReader();
  if (reader === undefined) {
    return;
  }
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield next.value;
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** Parses the body as JSON. Rejects with GatewayError `badAnswer`, which names `where`, on anything else. */
export async function answerJson(response: Response, where: string): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw clientSide("badAnswer", `${where} answers with no JSON; is it a gateway?`, cause);
  }
}
