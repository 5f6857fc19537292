import { expect, test } from "bun:test";
import { csvLines, printed } from "./foreign-text.ts";
import { safePieces } from "./safe-pieces.ts";

const lengths = Array.from({ length: 14 }, (_, i) => i + 1);

async function shown(piece: Uint8Array, isCsv = false): Promise<Uint8Array> {
  async function* one() {
    yield piece;
  }
  return Buffer.concat(await Array.fromAsync(safePieces(one(), isCsv)));
}

test("each byte, wherever it stands in a piece, passes or is made harmless as a terminal's text is", async () => {
  for (let byte = 0; byte <= 0xff; byte++) {
    for (const start of [0, 1, 2, 3]) {
      for (const length of lengths) {
        const piece = new Uint8Array(20).fill(0x61).subarray(start, start + length);
        piece[(byte + start) % length] = byte;
        const text = new TextDecoder().decode(piece);
        expect(new TextDecoder().decode(await shown(piece))).toBe(printed(text));
      }
    }
  }
});

test("a letter of several bytes is whole, and a lone byte of one is replaced", async () => {
  expect(new TextDecoder().decode(await shown(Buffer.from("aé日b\n")))).toBe("aé日b\n");
  expect(new TextDecoder().decode(await shown(Uint8Array.of(0x61, 0x61, 0x61, 0xff, 0x0a)))).toBe(
    "aaa\ufffd\n",
  );
});

test.each(["", "a", "a,", "a\n", "a,'"])(
  "each byte of CSV behind %j passes or is what its cell would be",
  async (before) => {
    for (let byte = 0; byte <= 0xff; byte++) {
      const piece = Buffer.concat([Buffer.from(before), Uint8Array.of(byte), Buffer.from("1+1")]);
      // A quote that begins a cell may not be there: quotes are not the same in all that is harmless.
      const expected = byte === 0x22 ? piece : Buffer.from(csvLines(new TextDecoder().decode(piece)));
      expect(new TextDecoder().decode(await shown(piece, true))).toBe(new TextDecoder().decode(expected));
    }
  },
);

test.each(["=", "+", "-", "@"])("a cell in quotes that begins with %s gets an apostrophe", async (sign) => {
  expect(new TextDecoder().decode(await shown(Buffer.from(`a,"${sign}b"\n`), true))).toBe(`a,'${sign}b\n`);
});
