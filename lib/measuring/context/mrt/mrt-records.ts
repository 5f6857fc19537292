/**
 * Cuts an MRT file into records (RFC 6396 s.2), whatever chunks it arrives in.
 *
 * | offset | bytes | field                                     |
 * |--------|-------|-------------------------------------------|
 * | 0      | 4     | time, seconds since 1970                  |
 * | 4      | 2     | type; 13 = TABLE_DUMP_V2                  |
 * | 6      | 2     | subtype                                   |
 * | 8      | 4     | length of what follows                    |
 *
 * Integers are big endian.
 */
import { upToCut } from "../../../base/list/cut-short.ts";
import type { PassedOver } from "../../../base/list/passed-over.ts";
import { DataFileError } from "../data-file-error.ts";
import { headBytes, headFailure, isHeadNear, type MrtHead, mrtHeadAt, nextHeadAt } from "./mrt-head.ts";

export interface MrtRecord extends Omit<MrtHead, "length"> {
  /** Valid until the next record is read. */
  readonly body: Uint8Array;
  /** Position of the header in the unpacked file. */
  readonly byteOffset: number;
}

/**
 * Skips a record that cannot be one, by its length or its head, up to the next head that can follow; a file that
 * ends within a record, or is cut, is read up to there. `note` receives all of them.
 *
 * @throws DataFileError where no record was read
 */
export async function* mrtRecords(
  chunks: AsyncIterable<Uint8Array>,
  note: PassedOver["note"],
): AsyncGenerator<MrtRecord> {
  const cutter = new RecordCutter(note);
  const onCut = (bytes: number, detail: string) =>
    note({ reason: "rest of a file that is cut or damaged", place: `byte ${bytes}`, detail, isDamage: true });
  for await (const chunk of upToCut(chunks, onCut)) {
    yield* cutter.push(chunk);
  }
  yield* cutter.end();
}

class RecordCutter {
  readonly #note: PassedOver["note"];
  #rest: Uint8Array = new Uint8Array(0);
  /** Where the rest begins in the file. */
  #byteOffset = 0;
  /** The last head that was one: the next ones are of about its time. */
  #last: MrtHead | null = null;
  #isSearching = false;
  #hasAny = false;
  #firstFailure: DataFileError | null = null;
  /** What was lost before the first record: without one, the file is none of MRT. */
  readonly #held: Parameters<PassedOver["note"]>[0][] = [];

  constructor(note: PassedOver["note"]) {
    this.#note = note;
  }

  *push(chunk: Uint8Array, isEnd = false): Generator<MrtRecord> {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    const start = this.#byteOffset;
    let at = 0;
    for (;;) {
      at = this.#isSearching ? this.#found(bytes, at) : at;
      this.#byteOffset = start + at;
      const head = this.#isSearching ? null : mrtHeadAt(bytes, at);
      if (head === null) {
        break;
      }
      const end = at + headBytes + head.length;
      const failure = headFailure(head, this.#last) ?? this.#lengthFailure(bytes, at, isEnd);
      if (failure !== null) {
        this.#lose(head, failure);
        at++;
        continue;
      }
      // The head behind it, if there is one, shows whether the length is right.
      if (bytes.length < end + (isEnd ? 0 : headBytes)) {
        break;
      }
      yield this.#record(head, bytes.subarray(at + headBytes, end));
      at = end;
    }
    this.#rest = bytes.slice(at);
  }

  *end(): Generator<MrtRecord> {
    yield* this.push(new Uint8Array(0), true);
    // The length of a record may be wrong, so that others lie within it.
    while (this.#rest.length > 0 && !this.#isSearching) {
      this.#lose(mrtHeadAt(this.#rest, 0), "the file ends within a record: is it whole?");
      const rest = this.#rest.subarray(1);
      this.#rest = new Uint8Array(0);
      this.#byteOffset++;
      yield* this.push(rest, true);
    }
    if (!this.#hasAny && this.#firstFailure !== null) {
      throw this.#firstFailure;
    }
  }

  #noteHeld(): void {
    for (const odd of this.#held.splice(0)) {
      this.#note(odd);
    }
  }

  #record({ length: _, ...head }: MrtHead, body: Uint8Array): MrtRecord {
    this.#noteHeld();
    this.#last = { ...head, length: body.length };
    this.#hasAny = true;
    return { ...head, body, byteOffset: this.#byteOffset };
  }

  /** A length that ends where no record begins is wrong if one begins before. */
  #lengthFailure(bytes: Uint8Array, at: number, isEnd: boolean): string | null {
    const own = mrtHeadAt(bytes, at);
    const last = this.#last ?? own;
    if (own === null || last === null) {
      return null;
    }
    const end = at + headBytes + own.length;
    const behind = mrtHeadAt(bytes, end);
    const isOdd = behind === null ? isEnd && end <= bytes.length : !isHeadNear(behind, last);
    const within = isOdd ? nextHeadAt(bytes, at + 1, end, last) : null;
    return within === null ? null : `${end - at} bytes, within which another record begins`;
  }

  /** Begins to search for the next head. */
  #lose(head: MrtHead | null, detail: string): void {
    const place = `byte ${this.#byteOffset}`;
    const reason = "record of MRT that is cut, or whose head is damaged";
    this.#firstFailure ??= new DataFileError(place, detail);
    this.#held.push({ reason, place, detail, isDamage: true });
    if (this.#hasAny) {
      this.#noteHeld();
    }
    this.#last ??= head;
    this.#isSearching = true;
  }

  /** Where the next record begins; else the first place that is still to be tried. */
  #found(bytes: Uint8Array, from: number): number {
    const at = this.#last === null ? null : nextHeadAt(bytes, from, bytes.length, this.#last);
    this.#isSearching = at === null;
    return at ?? Math.max(from, bytes.length - headBytes + 1);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
