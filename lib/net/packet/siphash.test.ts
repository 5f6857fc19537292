import { expect, test } from "bun:test";
import { sipHash, sipKey } from "./siphash.ts";

/** The authors' vectors: key 00…0f, input 00, 01, 02, … of this length, output bytes in order. */
const vectors: [number, string][] = [
  [0, "310e0edd47db6f72"],
  [8, "6224939a79f5f593"],
  [16, "db9bc2577fcc2a3f"],
];

test.each(vectors)("an input of %d bytes hashes as the authors say", (length, expected) => {
  const bytes = Uint8Array.from({ length: 16 }, (_, i) => i);
  const words = [...new BigUint64Array(bytes.slice(0, length).buffer)];
  const output = new Uint8Array(BigUint64Array.of(sipHash(sipKey(bytes), words)).buffer);
  expect(Buffer.from(output).toString("hex")).toBe(expected);
});
