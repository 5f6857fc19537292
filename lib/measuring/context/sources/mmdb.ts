/**
 * MaxMind DB files (format 2.0): GeoLite2 and GeoIP2 of ASN, country and city, and IPinfo's.
 *
 * A binary tree of nodes with two records each, of 24, 28 or 32 bits, then 16 zero bytes, the data section, and the
 * metadata behind the last `AB CD EF MaxMind.com`. A record below the number of nodes is a node, equal to it is
 * nothing, above it points into the data. In a tree of IPv6 the IPv4 addresses lie below ::/96; other ways to their
 * node (::ffff:0:0/96, 2002::/16) are aliases and skipped.
 */
import type { Words } from "../../../net/ip/words.ts";
import type { ContextBuilder } from "../context-builder.ts";
import { DataFileError } from "../data-file-error.ts";
import { addMmdbNetwork } from "./mmdb-networks.ts";
import { type MmdbMap, MmdbValues } from "./mmdb-values.ts";

const marker = Buffer.from("abcdef4d61784d696e642e636f6d", "hex");
const separatorBytes = 16;
/** MaxMind's own limit for the metadata. */
const metadataBytesMax = 128 * 1024;

export function isMmdb(file: Uint8Array): boolean {
  return markerOf(file) >= 0;
}

/** Returns the number of networks. */
export function readMmdb(file: Uint8Array, builder: ContextBuilder): number {
  const tree = treeOf(file);
  let count = 0;
  for (const { base, bits, offset } of networksOf(tree)) {
    addMmdbNetwork({ base, bits }, offset, tree.values, builder);
    count++;
  }
  return count;
}

interface Tree {
  readonly file: Uint8Array;
  readonly nodeCount: number;
  readonly recordBits: number;
  readonly isIpv6: boolean;
  readonly values: MmdbValues;
}

function treeOf(file: Uint8Array): Tree {
  const at = markerOf(file);
  if (at < 0) {
    throw new DataFileError("the end of the file", "not a MaxMind DB: it has no metadata");
  }
  const metadata = new MmdbValues(file.subarray(at + marker.length)).at(0) as MmdbMap;
  const nodeCount = Number(metadata.node_count);
  const recordBits = Number(metadata.record_size);
  const treeBytes = (nodeCount * recordBits) / 4;
  if (![24, 28, 32].includes(recordBits) || !(treeBytes + separatorBytes <= at)) {
    throw new DataFileError("metadata", `${nodeCount} nodes of ${recordBits} bits do not fit the file`);
  }
  return {
    file,
    nodeCount,
    recordBits,
    isIpv6: Number(metadata.ip_version) === 6,
    values: new MmdbValues(file.subarray(treeBytes + separatorBytes, at)),
  };
}

interface Network {
  readonly base: Words;
  readonly bits: number;
  /** Into the data section. */
  readonly offset: number;
}

interface Step {
  readonly record: number;
  readonly base: Words;
  /** Steps from the root. */
  readonly depth: number;
}

function* networksOf(tree: Tree): Generator<Network> {
  const ipv4Root = ipv4RootOf(tree);
  const open: Step[] = [{ record: 0, base: [0, 0, 0, 0], depth: tree.isIpv6 ? 0 : 96 }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { record, base, depth } = step;
    const isZeros = base[0] === 0 && base[1] === 0 && base[2] === 0;
    if (record > tree.nodeCount) {
      const isIpv4 = depth >= 96 && isZeros;
      const mapped: Words = isIpv4 ? [0, 0, 0xffff, base[3]] : base;
      yield { base: mapped, bits: depth, offset: record - tree.nodeCount - separatorBytes };
    } else if (record < tree.nodeCount && depth < 128 && (record !== ipv4Root || (isZeros && depth === 96))) {
      open.push({ record: recordAt(tree, record, 1), base: withBit(base, depth), depth: depth + 1 });
      open.push({ record: recordAt(tree, record, 0), base, depth: depth + 1 });
    }
  }
}

/** The node of ::/96; -1 in a tree of IPv4, and where the way to it ends before. */
function ipv4RootOf(tree: Tree): number {
  let record = 0;
  for (let depth = 0; tree.isIpv6 && depth < 96; depth++) {
    if (record >= tree.nodeCount) {
      return -1;
    }
    record = recordAt(tree, record, 0);
  }
  return tree.isIpv6 && record < tree.nodeCount ? record : -1;
}

function recordAt({ file, recordBits }: Tree, node: number, side: 0 | 1): number {
  const at = (node * recordBits) / 4;
  const byte = (i: number) => file[at + i] ?? 0;
  if (recordBits === 28) {
    const [first, top] = side === 0 ? [0, byte(3) >>> 4] : [4, byte(3) & 0xf];
    return top * 2 ** 24 + byte(first) * 65536 + byte(first + 1) * 256 + byte(first + 2);
  }
  const bytes = recordBits / 8;
  return Array.from({ length: bytes }, (_, i) => byte(side * bytes + i)).reduce(
    (sum, value) => sum * 256 + value,
    0,
  );
}

function withBit(base: Words, depth: number): Words {
  const bit = 2 ** (31 - (depth % 32));
  const word = Math.floor(depth / 32);
  const [a, b, c, d] = base.map((value, i) => (i === word ? value + bit : value));
  return [a ?? 0, b ?? 0, c ?? 0, d ?? 0];
}

function markerOf(file: Uint8Array): number {
  const from = Math.max(0, file.length - metadataBytesMax);
  const at = Buffer.from(file.buffer, file.byteOffset + from, file.length - from).lastIndexOf(marker);
  return at < 0 ? -1 : from + at;
}
