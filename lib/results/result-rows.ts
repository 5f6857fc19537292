/** The rows of an answer as objects, checked one by one, for drawing. */
import { clientSide } from "../gateway-client/gateway-error.ts";
import { lineCharsMax } from "./limits.ts";

/** Parses JSON lines. Rejects like the texts, and with GatewayError where a row of a view has another form. */
export async function* resultRows<Row>(
  name: string,
  isRow: (value: unknown) => value is Row,
  texts: AsyncIterable<Uint8Array>,
): AsyncGenerator<Row, void, undefined> {
  for await (const line of linesOf(texts)) {
    const row = jsonOf(line);
    if (!isRow(row)) {
      throw clientSide("badAnswer", `The ${name} have another form; is the gateway of this version?`);
    }
    yield row;
  }
}

async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > lineCharsMax) {
      throw new RangeError(`A line of results has more than ${lineCharsMax} characters`);
    }
    yield* lines;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
