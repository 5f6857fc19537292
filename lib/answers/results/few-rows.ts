/** Rows from JSON lines, a few at a time: as objects they take many times the memory of their text. */
import { rowsAtOnce } from "./limits.ts";

/** `lines`: whole lines, line ends included. */
export function* fewRows<Row>(lines: Uint8Array): Generator<Row[], void, undefined> {
  const texts = new TextDecoder().decode(lines).split("\n").slice(0, -1);
  for (let i = 0; i < texts.length; i += rowsAtOnce) {
    yield texts.slice(i, i + rowsAtOnce).map((line) => JSON.parse(line) as Row);
  }
}
