/**
 * Writes a table of routes as an MMDB file, for readers of that format (maxmind.github.io/MaxMind-DB, version 2.0).
 *
 * A tree of bits with records of 32 bits, then 16 zero bytes, the data (`{autonomous_system_number}` for each AS once)
 * and the metadata. IPv4 lies below ::/96.
 */
import type { Words } from "../../../lib/net/ip/words.ts";
import type { TableRoute } from "./internet-table.ts";

const empty = 0;
const separatorBytes = 16;
const marker = [0xab, 0xcd, 0xef, ...new TextEncoder().encode("MaxMind.com")];

export function mmdbFile(routes: readonly TableRoute[]): Uint8Array {
  const data = new AsnData();
  const tree = new BitTree(routes.length * 40);
  // Shorter prefixes first: a longer one splits what they fill.
  for (const { base, bits, asn } of [...routes].sort((x, y) => x.bits - y.bits)) {
    const isIpv4 = base[0] === 0 && base[2] === 0xffff;
    tree.put(isIpv4 ? [0, 0, 0, base[3]] : base, bits, -1 - data.offsetOf(asn));
  }
  const tail = new Uint8Array([...marker, ...metadata(tree.count)]);
  return new Uint8Array(
    Buffer.concat([tree.bytes(), new Uint8Array(separatorBytes), Uint8Array.from(data.bytes), tail]),
  );
}

/** A record is 0 = nothing, above 0 the number of a node, below 0 the place of data. */
class BitTree {
  readonly #records: Int32Array;
  count = 1;

  constructor(nodesMax: number) {
    this.#records = new Int32Array(2 * nodesMax);
  }

  put(base: Words, bits: number, record: number): void {
    let at = bitOf(base, 0);
    for (let depth = 1; depth < bits; depth++) {
      const below = this.#records[at] ?? empty;
      if (below <= 0) {
        this.#records[at] = this.count;
        this.#records.fill(below, 2 * this.count, 2 * this.count + 2);
        this.count++;
      }
      at = 2 * (this.#records[at] ?? empty) + bitOf(base, depth);
    }
    this.#records[at] = record;
  }

  bytes(): Uint8Array {
    const view = new DataView(new ArrayBuffer(8 * this.count));
    for (let i = 0; i < 2 * this.count; i++) {
      const record = this.#records[i] ?? empty;
      const data = this.count + separatorBytes - 1 - record;
      view.setUint32(4 * i, record > 0 ? record : record === empty ? this.count : data);
    }
    return new Uint8Array(view.buffer);
  }
}

function bitOf(base: Words, depth: number): number {
  return ((base[depth >>> 5] ?? 0) >>> (31 - (depth & 31))) & 1;
}

class AsnData {
  readonly bytes: number[] = [];
  readonly #offsets = new Map<number, number>();

  offsetOf(asn: number): number {
    const known = this.#offsets.get(asn);
    if (known !== undefined) {
      return known;
    }
    const offset = this.bytes.length;
    this.#offsets.set(asn, offset);
    this.bytes.push(0xe1, ...text("autonomous_system_number"), ...uint32(asn));
    return offset;
  }
}

/** A map of seven. */
function metadata(nodes: number): number[] {
  return [
    0xe7,
    ...[...text("node_count"), ...uint32(nodes), ...text("record_size"), ...uint16(32)],
    ...[...text("ip_version"), ...uint16(6), ...text("database_type"), ...text("Bench-ASN")],
    // An array of no languages.
    ...[...text("languages"), 0x00, 0x04],
    ...[...text("binary_format_major_version"), ...uint16(2)],
    ...[...text("binary_format_minor_version"), ...uint16(0)],
  ];
}

function text(value: string): number[] {
  return [0x40 | value.length, ...new TextEncoder().encode(value)];
}

function uint16(value: number): number[] {
  return [0xa2, value >>> 8, value & 0xff];
}

function uint32(value: number): number[] {
  return [0xc4, value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}
