/**
 * Reads files of warts: traces, pings and multipaths, as rows from which ours are written. Lists and cycles give their
 * monitors; objects of other types are passed over, and counted.
 *
 * A file is a stream of objects, of which one is in memory. One that cannot be read is passed over, and noted. Throws
 * ImportError with the byte where no further object can be found.
 */
import type { PassedOver } from "../../base/list/passed-over.ts";
import { ImportError } from "./import-error.ts";
import type { ImportedTrace } from "./imported-trace.ts";
import { wartsMagic, wartsTypes } from "./warts-bytes.ts";
import { WartsCursor } from "./warts-cursor.ts";
import { readMultipath } from "./warts-multipath-reader.ts";
import { readPing, readTrace } from "./warts-records.ts";

const headBytes = 8;
/** Bytes of one object: a trace has some 50 a hop. */
const objectBytesMax = 16 << 20;

export class WartsReader {
  /** Objects that are not traces, pings, multipaths, lists or cycles. */
  passed = 0;
  readonly #monitors = new Map<number, string>();
  readonly #note: PassedOver["note"];
  #rest: Uint8Array = new Uint8Array();
  #offset = 0;

  /** `note` receives what is not taken. */
  constructor(note: PassedOver["note"] = () => {}) {
    this.#note = note;
  }

  /** The traces that a piece of the file completes. */
  *add(piece: Uint8Array): Generator<ImportedTrace, void> {
    this.#rest = this.#rest.length === 0 ? piece : joined(this.#rest, piece);
    let at = 0;
    const view = new DataView(this.#rest.buffer, this.#rest.byteOffset, this.#rest.length);
    while (this.#rest.length - at >= headBytes) {
      const length = view.getUint32(at + 4);
      if (view.getUint16(at) !== wartsMagic) {
        throw this.#failed(at, "here an object of warts should begin: 0x1205");
      }
      if (length > objectBytesMax) {
        throw this.#failed(at, `an object of ${length} bytes; at most ${objectBytesMax} are read`);
      }
      const end = at + headBytes + length;
      if (end > this.#rest.length) {
        break;
      }
      const bytes = this.#rest.subarray(at + headBytes, end);
      yield* this.#orPassedOver(view.getUint16(at + 2), bytes, this.#offset + at);
      at = end;
    }
    this.#rest = this.#rest.slice(at);
    this.#offset += at;
  }

  end(): void {
    if (this.#rest.length > 0) {
      throw this.#failed(0, "the file ends within this object");
    }
  }

  #failed(at: number, reason: string): ImportError {
    return new ImportError(`byte ${this.#offset + at}`, reason);
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

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
