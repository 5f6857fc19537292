/** Recuts pieces of UTF-8 text into pieces of whole lines; the last line gets a line end too. */
export async function* wholeLines(
  pieces: AsyncIterable<Uint8Array>,
  lineBytesMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array, void, undefined> {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(newline) + 1;
    if (end > 0) {
      yield rest.length === 0 ? piece.subarray(0, end) : Buffer.concat([...rest, piece.subarray(0, end)]);
      [rest, restBytes] = [[], 0];
    }
    if (end < piece.length) {
      rest.push(piece.subarray(end));
      restBytes += piece.length - end;
    }
    if (restBytes > lineBytesMax) {
      throw new RangeError(`A line has more than ${lineBytesMax} bytes`);
    }
  }
}

const newline = 10;
