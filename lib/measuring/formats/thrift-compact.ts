/**
 * Structures of Thrift's compact protocol as trees, to change some fields and write them back: the footers of Parquet.
 *
 * Source: thrift/doc/specs/thrift-compact-protocol.md. Maps do not occur in Parquet.
 */

export interface ThriftStruct {
  /** By their ids. */
  readonly fields: ReadonlyMap<number, ThriftField>;
}

interface ThriftField {
  readonly type: number;
  readonly value: ThriftValue;
}

interface ThriftList {
  readonly elementType: number;
  readonly elements: readonly ThriftValue[];
}

type ThriftValue = bigint | boolean | Uint8Array | ThriftStruct | ThriftList;

const types = {
  ...{ isTrue: 1, isFalse: 2, byte: 3, i16: 4, i32: 5, i64: 6 },
  ...{ double: 7, binary: 8, list: 9, set: 10, struct: 12 },
} as const;
export const thriftTypes = types;
/** Structures within structures: Parquet has some ten. */
const depthMax = 64;

/** Throws a RangeError on other bytes. */
export function readThrift(bytes: Uint8Array): ThriftStruct {
  return new Reader(bytes).struct(0);
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(depth: number): ThriftStruct {
    if (depth > depthMax) {
      throw new RangeError("Structures of Thrift are too deep");
    }
    const fields = new Map<number, ThriftField>();
    for (let [id, head] = [0, this.#byte()]; head !== 0; head = this.#byte()) {
      id = head >> 4 === 0 ? Number(unzigzag(this.#varint())) : id + (head >> 4);
      const type = head & 15;
      const isBoolean = type === types.isTrue || type === types.isFalse;
      fields.set(id, { type, value: isBoolean ? type === types.isTrue : this.#value(type, depth) });
    }
    return { fields };
  }

  #value(type: number, depth: number): ThriftValue {
    switch (type) {
      case types.isTrue:
      case types.isFalse:
        // In a list each has a byte.
        return this.#byte() === types.isTrue;
      case types.byte:
        return BigInt(this.#byte());
      case types.i16:
      case types.i32:
      case types.i64:
        return unzigzag(this.#varint());
      case types.double:
        return this.#take(8);
      case types.binary:
        return this.#take(Number(this.#varint()));
      case types.list:
      case types.set:
        return this.#list(depth);
      case types.struct:
        return this.struct(depth + 1);
      default:
        throw new RangeError(`There is no type ${type} of Thrift in Parquet`);
    }
  }

  #list(depth: number): ThriftList {
    const head = this.#byte();
    const count = head >> 4 === 15 ? Number(this.#varint()) : head >> 4;
    if (count > this.#bytes.length) {
      throw new RangeError("A list of Thrift is longer than its bytes");
    }
    const elementType = head & 15;
    return {
      elementType,
      elements: Array.from({ length: count }, () => this.#value(elementType, depth + 1)),
    };
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
    throw new RangeError("A number of Thrift is too long");
  }

  #byte(): number {
    return this.#take(1)[0] ?? 0;
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) {
      throw new RangeError("The bytes of Thrift end too early");
    }
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

export function writeThrift(struct: ThriftStruct): Uint8Array {
  const bytes: number[] = [];
  writeStruct(bytes, struct);
  return Uint8Array.from(bytes);
}

function writeStruct(to: number[], { fields }: ThriftStruct): void {
  let last = 0;
  for (const [id, { type, value }] of [...fields].sort(([a], [b]) => a - b)) {
    const isBoolean = typeof value === "boolean";
    const written = isBoolean ? booleanType(value) : type;
    const step = id - last;
    if (step >= 1 && step <= 15) {
      to.push((step << 4) | written);
    } else {
      to.push(written);
      writeVarint(to, zigzag(BigInt(id)));
    }
    if (!isBoolean) {
      writeValue(to, type, value);
    }
    last = id;
  }
  to.push(0);
}

function writeValue(to: number[], type: number, value: ThriftValue): void {
  if (typeof value === "boolean") {
    to.push(booleanType(value));
  } else if (typeof value === "bigint") {
    if (type === types.byte) {
      to.push(Number(value));
    } else {
      writeVarint(to, zigzag(value));
    }
  } else if (value instanceof Uint8Array) {
    if (type === types.binary) {
      writeVarint(to, BigInt(value.length));
    }
    to.push(...value);
  } else if ("fields" in value) {
    writeStruct(to, value);
  } else {
    writeList(to, value);
  }
}

function writeList(to: number[], { elementType, elements }: ThriftList): void {
  if (elements.length < 15) {
    to.push((elements.length << 4) | elementType);
  } else {
    to.push(0xf0 | elementType);
    writeVarint(to, BigInt(elements.length));
  }
  for (const element of elements) {
    writeValue(to, elementType, element);
  }
}

function booleanType(value: boolean): number {
  return value ? types.isTrue : types.isFalse;
}

function writeVarint(to: number[], value: bigint): void {
  let left = value;
  for (; left >= 0x80n; left >>= 7n) {
    to.push(Number(left & 0x7fn) | 0x80);
  }
  to.push(Number(left));
}

function zigzag(value: bigint): bigint {
  return value >= 0n ? value << 1n : -(value << 1n) - 1n;
}

function unzigzag(value: bigint): bigint {
  return (value & 1n) === 0n ? value >> 1n : -(value >> 1n) - 1n;
}
