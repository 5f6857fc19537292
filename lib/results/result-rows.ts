/** The rows of an answer as objects, checked one by one, for drawing. */
import * as v from "valibot";
import { clientSide } from "../gateway-client/gateway-error.ts";
import { lineCharsMax } from "./limits.ts";
import type { View } from "./view.ts";

/** Parses NDJSON. Rejects like the texts, and with GatewayError where a row does not match the view. */
export async function* resultRows<Row>(
  view: View<Row>,
  texts: AsyncIterable<Uint8Array>,
): AsyncGenerator<Row, void, undefined> {
  for await (const line of linesOf(texts)) {
    const row = jsonOf(line);
    if (!v.is(view.schema, row)) {
      throw clientSide("badAnswer", `The ${view.name} have another form; is the gateway of this version?`);
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
