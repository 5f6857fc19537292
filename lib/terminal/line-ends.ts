/** How many lines end in a piece of text in UTF-8. */
export function lineEndsIn(piece: Uint8Array): number {
  let ends = 0;
  for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) {
    ends++;
  }
  return ends;
}

const newline = 10;
