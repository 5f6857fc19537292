/**
 * The lines of a text whose bytes arrive in pieces, also the last one without its end. `check` is called with what has
 * no end yet: it throws where that is too long.
 */
export async function* textLines(
  pieces: AsyncIterable<Uint8Array>,
  check: (unended: string) => void = () => {},
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    check(rest);
    yield* lines;
  }
  if (rest !== "") {
    yield rest;
  }
}
