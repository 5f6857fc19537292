/** The number of line ends in a piece of UTF-8 text. */
export function lineEndsIn(piece: Uint8Array): number {
  let ends = 0;
  for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) {
    ends++;
  }
  return ends;
}

const newline = 10;
