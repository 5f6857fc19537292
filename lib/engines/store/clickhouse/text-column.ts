/**
 * A column of few different texts, `LowCardinality(String)`: each text once, and its place among them for each row.
 *
 *   u64 1 | u64 form | u64 texts | the texts | u64 rows | for each row: place of its text
 *
 * The first u64 is the version. `form` is 0, 1 or 2 for places of 1, 2 or 4 bytes, plus 512: all texts are
 * included.
 */
import { ByteBuffer, type Filled } from "./native-block.ts";
import { RowColumn } from "./row-column.ts";

const version = 1;
const hasTexts = 512;
const utf8 = new TextEncoder();

export class TextColumn {
  /** Where the text of each row is; 4 bytes each. */
  readonly places = new RowColumn(4);
  readonly #known = new Map<string, number>();
  readonly #texts = new ByteBuffer();

  /** Bytes of the texts. */
  get bytes(): number {
    return this.#texts.length;
  }

  /** The place of the text, which is added if new. */
  placeOf(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) {
      return known;
    }
    const place = this.#known.size;
    this.#known.set(text, place);
    this.#texts.text(utf8.encode(text));
    return place;
  }

  /** The column's data, with places as narrow as possible. */
  data(rows: number): Filled[] {
    const head = new ByteBuffer(32);
    const count = new ByteBuffer(8);
    const form = this.#known.size <= 0x100 ? 0 : this.#known.size <= 0x10000 ? 1 : 2;
    for (const value of [version, form | hasTexts, this.#known.size]) {
      head.count(value);
    }
    count.count(rows);
    return [head, this.#texts, count, narrowed(this.places.u32.subarray(0, rows), form)];
  }

  clear(): void {
    this.#known.clear();
    this.#texts.length = 0;
  }
}

function narrowed(places: Uint32Array, form: 0 | 1 | 2): Filled {
  const values = form === 0 ? Uint8Array.from(places) : form === 1 ? Uint16Array.from(places) : places;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return { bytes, length: bytes.length };
}
