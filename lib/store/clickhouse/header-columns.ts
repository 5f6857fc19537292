/** Headers of reply records as the columns `_headers.name` and `_headers.value`, made once for records alike. */
import { replyHeaders } from "../../wire/target-header.ts";
import { headerBytesMax } from "./limits.ts";
import { ByteBuffer, type NativeColumn } from "./native-block.ts";

/** The headers of one record, each a text of the Native format; the same for each row of the record. */
export interface HeaderTexts {
  readonly count: number;
  readonly names: Uint8Array;
  readonly values: Uint8Array;
}

const utf8 = new TextEncoder();
/** The headers that the view uses, without `sequence`, which differs for each record. */
const names = [
  replyHeaders.measurementId,
  replyHeaders.probeAgent,
  replyHeaders.probeInstance,
  replyHeaders.producer,
] as const;
const sequenceName = utf8.encode(replyHeaders.sequence);
/** Records of one measurement from one instance come in a row; more of them than this at a time are built again. */
const keptMax = 1024;

export class HeaderColumns {
  readonly #kept = new Map<string, HeaderTexts>();
  readonly #ends = new ByteBuffer();
  readonly #names = new ByteBuffer();
  readonly #values = new ByteBuffer();
  readonly buffers = [this.#ends, this.#names, this.#values] as const;
  readonly columns: readonly NativeColumn[] = [
    { name: "_headers.name", type: "Array(String)", data: [this.#ends, this.#names] },
    { name: "_headers.value", type: "Array(String)", data: [this.#ends, this.#values] },
  ];
  #count = 0;

  /** Null when a header is longer than ours ever are. */
  of(headers: Readonly<Record<string, string>>): HeaderTexts | null {
    // With lengths, so that no value can pass for two.
    const key = names.map((name) => `${headers[name]?.length ?? "-"}:${headers[name] ?? ""}`).join();
    const known = this.#kept.get(key);
    if (known !== undefined) {
      return known;
    }
    const made = textsOf(headers);
    if (made !== null) {
      if (this.#kept.size >= keptMax) {
        this.#kept.clear();
      }
      this.#kept.set(key, made);
    }
    return made;
  }

  /** A row's headers; `sequence` is the record's own, null = it has none. */
  add(texts: HeaderTexts, sequence: string | null): void {
    this.#names.raw(texts.names);
    this.#values.raw(texts.values);
    if (sequence !== null) {
      this.#names.text(sequenceName);
      this.#values.text(utf8.encode(sequence));
    }
    this.#count += texts.count + (sequence === null ? 0 : 1);
    this.#ends.count(this.#count);
  }

  clear(): void {
    this.#count = 0;
    for (const buffer of this.buffers) {
      buffer.length = 0;
    }
  }
}

function textsOf(headers: Readonly<Record<string, string>>): HeaderTexts | null {
  const [nameTexts, valueTexts] = [new ByteBuffer(64), new ByteBuffer(128)];
  let count = 0;
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) {
      const bytes = utf8.encode(value);
      if (bytes.length > headerBytesMax) {
        return null;
      }
      nameTexts.text(utf8.encode(name));
      valueTexts.text(bytes);
      count++;
    }
  }
  return { count, names: nameTexts.taken(), values: valueTexts.taken() };
}
