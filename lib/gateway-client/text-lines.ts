/** The text of an answer as it comes, in pieces of whole lines, in constant memory. */
import { clientSide, GatewayError } from "./gateway-error.ts";
import { lineCharsMax } from "./limits.ts";

/** Each piece is one line or more, without the last line end. Rejects with GatewayError when the answer breaks off. */
export async function* textLines(response: Response): AsyncGenerator<string, void, undefined> {
  let rest = "";
  try {
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const end = text.lastIndexOf("\n");
      if (end >= 0) {
        yield rest + text.slice(0, end);
      }
      rest = end < 0 ? rest + text : text.slice(end + 1);
      if (rest.length > lineCharsMax) {
        throw clientSide("badAnswer", "The gateway answers with a line that has no end");
      }
    }
  } catch (error) {
    throw error instanceof GatewayError
      ? error
      : clientSide("unreachable", "The answer has broken off: what was shown is not all", error);
  }
  if (rest !== "") {
    yield rest;
  }
}

/** The rows of an NDJSON answer. Rejects with GatewayError, also where `read` gives null. */
export async function* jsonRows<Row>(
  response: Response,
  read: (row: unknown) => Row | null,
): AsyncGenerator<Row, void, undefined> {
  for await (const text of textLines(response)) {
    for (const line of text.split("\n")) {
      yield rowOf(line, read);
    }
  }
}

function rowOf<Row>(line: string, read: (row: unknown) => Row | null): Row {
  const row = read(jsonOf(line));
  if (row === null) {
    throw clientSide("badAnswer", "The gateway's rows have another form; is it of this version?");
  }
  return row;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
