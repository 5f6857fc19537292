/**
 * Instructions of eBPF as bytes (RFC 9669): 8 bytes each, operation code u8 | destination and source register, 4 bits
 * each | offset i16 | immediate value i32; little-endian.
 */
import { bpfCode, bpfPseudoMap, bpfPseudoMapValue } from "./constants.ts";

/** r0 = result of calls and of the program, r1 to r5 = arguments of calls and lost in them, r6 to r9 = kept. */
type Register = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Operation = keyof typeof bpfCode;

interface Operands {
  readonly to?: Register;
  readonly from?: Register;
  readonly offset?: number;
  readonly value?: number;
}

export class Assembler {
  readonly #instructions: (Operands & { readonly code: number; readonly label: string | null })[] = [];
  readonly #labels = new Map<string, number>();

  op(operation: Operation, operands: Operands = {}): this {
    this.#instructions.push({ ...operands, code: bpfCode[operation], label: null });
    return this;
  }

  call(number: number): this {
    return this.op("call", { value: number });
  }

  /** The address of a map's only value. It takes two instructions. */
  mapValue(to: Register, fd: number): this {
    return this.#ofMap(to, fd, bpfPseudoMapValue);
  }

  /** The map itself, as an argument of a call. It takes two instructions. */
  map(to: Register, fd: number): this {
    return this.#ofMap(to, fd, bpfPseudoMap);
  }

  /** Jumps to a label, forwards or (in a loop that the verifier sees end, Linux 5.3) backwards. */
  jump(operation: Operation, label: string, operands: Operands = {}): this {
    this.#instructions.push({ ...operands, code: bpfCode[operation], label });
    return this;
  }

  label(name: string): this {
    this.#labels.set(name, this.#instructions.length);
    return this;
  }

  /** Throws Error for an undefined label. */
  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#instructions.length * 8);
    const view = new DataView(bytes.buffer);
    for (const [
      i,
      { code, to = 0, from = 0, offset = 0, value = 0, label },
    ] of this.#instructions.entries()) {
      view.setUint8(8 * i, code);
      view.setUint8(8 * i + 1, to | (from << 4));
      view.setInt16(8 * i + 2, label === null ? offset : this.#distance(i, label), true);
      view.setInt32(8 * i + 4, value, true);
    }
    return bytes;
  }

  #ofMap(to: Register, fd: number, kind: Register): this {
    this.op("loadValue", { to, from: kind, value: fd });
    this.#instructions.push({ code: 0, label: null });
    return this;
  }

  #distance(from: number, label: string): number {
    const to = this.#labels.get(label);
    if (to === undefined) {
      throw new Error(`There is no label ${label}`);
    }
    return to - from - 1;
  }
}
