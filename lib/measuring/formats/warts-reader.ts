/**
 * Reads files of warts: traces, pings and multipaths, as rows from which ours are written. Lists and cycles give their
 * monitors; objects of other types are skipped, and counted.
 *
 * A file is a stream of objects, of which one is in memory. One that cannot be read is skipped, and noted; so are
 * bytes up to the next head of an object. Throws ImportError with the byte where no object was read.
 */
import type { PassedOver } from "../../base/list/passed-over.ts";
import { ImportError } from "./import-error.ts";
import type { ImportedTrace } from "./imported-trace.ts";
import { wartsMagic, wartsTypes } from "./warts-bytes.ts";
import { WartsCursor } from "./warts-cursor.ts";
import { readMultipath } from "./warts-multipath-reader.ts";
import { readPing, readTrace } from "./warts-records.ts";

const headBytes = 8;
/** scamper writes types up to some 20. */
const typeMax = 255;
/** Bytes of one object: a trace has some 50 a hop. */
const objectBytesMax = 16 << 20;

export class WartsReader {
  /** Objects that are not traces, pings, multipaths, lists or cycles. */
  passed = 0;
  readonly #monitors = new Map<number, string>();
  readonly #note: PassedOver["note"];
  #rest: Uint8Array = new Uint8Array();
  #offset = 0;
  #hasAny = false;
  /** Behind a damaged head, until an object is read again. */
  #isLost = false;

  /** `note` receives what is not taken. */
  constructor(note: PassedOver["note"] = () => {}) {
    this.#note = note;
  }

  /** The traces that a piece of the file completes. */
  *add(piece: Uint8Array): Generator<ImportedTrace, void> {
    this.#rest = this.#rest.length === 0 ? piece : joined(this.#rest, piece);
    let at = 0;
    while (this.#rest.length - at >= headBytes) {
      const failure = headFailure(this.#rest, at) ?? lengthFailure(this.#rest, at);
      if (failure !== null) {
        this.#lose(at, failure);
        at = nextHead(this.#rest, at + 1) ?? openFrom(this.#rest, at + 1);
        continue;
      }
      const { type, end } = headAt(this.#rest, at);
      if (end > this.#rest.length) {
        break;
      }
      this.#isLost = false;
      this.#hasAny = true;
      yield* this.#orPassedOver(type, this.#rest.subarray(at + headBytes, end), this.#offset + at);
      at = end;
    }
    this.#rest = this.#rest.slice(at);
    this.#offset += at;
  }

  /** Reads what lies within an object that is cut, as its length may be wrong. */
  *end(): Generator<ImportedTrace, void> {
    while (this.#rest.length > 0) {
      this.#lose(0, "the file ends within this object");
      const next = nextHead(this.#rest, 1) ?? this.#rest.length;
      const rest = this.#rest.subarray(next);
      this.#rest = new Uint8Array();
      this.#offset += next;
      yield* rest.length < headBytes ? [] : this.add(rest);
    }
  }

  /** Notes where objects cannot be found any more, once for each place. Throws ImportError where none was read. */
  #lose(at: number, detail: string): void {
    const place = `byte ${this.#offset + at}`;
    if (!this.#hasAny) {
      throw new ImportError(place, detail);
    }
    if (!this.#isLost) {
      this.#note({ reason: "object that is cut, or whose head is damaged", place, detail, isDamage: true });
    }
    this.#isLost = true;
  }

  #orPassedOver(type: number, bytes: Uint8Array, offset: number): ImportedTrace[] {
    try {
      return this.#object(type, new WartsCursor(bytes, offset + headBytes));
    } catch (cause) {
      if (!(cause instanceof ImportError)) {
        throw cause;
      }
      const reason = `object of type ${type} that cannot be read`;
      this.#note({ reason, place: `byte ${offset}`, detail: cause.message, isDamage: true });
      return [];
    }
  }

  #object(type: number, from: WartsCursor): ImportedTrace[] {
    switch (type) {
      case wartsTypes.list:
        this.#list(from);
        return [];
      case wartsTypes.trace:
        return [readTrace(from, (list) => this.#monitorOf(list))];
      case wartsTypes.ping:
        return [readPing(from, (list) => this.#monitorOf(list))];
      case wartsTypes.tracelb:
        return readMultipath(from, (list) => this.#monitorOf(list));
      default:
        this.passed += type > wartsTypes.cycleStop ? 1 : 0;
        return [];
    }
  }

  #list(from: WartsCursor): void {
    const id = from.u32();
    from.u32();
    const name = from.text();
    let monitor = name;
    from.parameters({ 1: () => from.text(), 2: () => (monitor = from.text()) });
    this.#monitors.set(id, monitor);
  }

  #monitorOf(list: number): string {
    return this.#monitors.get(list) ?? "warts";
  }
}

function headAt(bytes: Uint8Array, at: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, headBytes);
  const [type, length] = [view.getUint16(2), view.getUint32(4)];
  return { magic: view.getUint16(0), type, length, end: at + headBytes + length };
}

/** Null = an object can begin here. */
function headFailure(bytes: Uint8Array, at: number): string | null {
  const { magic, length } = headAt(bytes, at);
  if (magic !== wartsMagic) {
    return "here an object of warts should begin: 0x1205";
  }
  return length > objectBytesMax ? `an object of ${length} bytes; at most ${objectBytesMax} are read` : null;
}

/** A length is wrong if another object lies within it, or begins there where it ends at none. */
function lengthFailure(bytes: Uint8Array, at: number): string | null {
  const { end } = headAt(bytes, at);
  const isOdd = end + headBytes <= bytes.length && headFailure(bytes, end) !== null;
  for (let inner = nextHead(bytes, at + 1, end); inner !== null; inner = nextHead(bytes, inner + 1, end)) {
    const innerEnd = headAt(bytes, inner).end;
    if (isOdd || innerEnd === end || innerEnd + headBytes <= end) {
      return `an object of ${end - at} bytes, within which another one begins`;
    }
  }
  return null;
}

/** Where the next object may begin, of those that begin before `to`; null = nowhere in these bytes. */
function nextHead(bytes: Uint8Array, from: number, to = bytes.length): number | null {
  const last = Math.min(bytes.length - headBytes, to - 1);
  for (let at = magicAt(bytes, from); at >= 0 && at <= last; at = magicAt(bytes, at + 1)) {
    if (headFailure(bytes, at) === null && headAt(bytes, at).type <= typeMax) {
      const { end } = headAt(bytes, at);
      if (end + headBytes > bytes.length || headFailure(bytes, end) === null) {
        return at;
      }
    }
  }
  return null;
}

/** The first place that is to be tried again with more bytes. */
function openFrom(bytes: Uint8Array, from: number): number {
  return Math.max(from, bytes.length - headBytes + 1);
}

/** Negative where there is none. */
function magicAt(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(wartsMagic >> 8, from); at >= 0; at = bytes.indexOf(wartsMagic >> 8, at + 1)) {
    if (bytes[at + 1] === (wartsMagic & 0xff)) {
      return at;
    }
  }
  return -1;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
