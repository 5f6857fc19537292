/** Writes RIB dumps as route collectors do: MRT TABLE_DUMP_V2 (RFC 6396 s.4.3), for tests. */
import type { Prefix } from "../../../lib/net/ip/prefix.ts";

interface RibPath {
  readonly peer: number;
  /** Segments of AS_PATH: 1 set, 2 sequence, 3 confederation. */
  readonly segments: readonly (readonly [type: number, asns: readonly number[]])[];
}

export interface RibRoute {
  readonly prefix: Prefix;
  readonly paths: readonly RibPath[];
}

const origin = [0x40, 1, 1, 0];
const nextHop = [0x40, 3, 4, 192, 0, 2, 1];

export function ribDump(peers: number, routes: readonly RibRoute[], isAddPath = false): Uint8Array {
  const records = [peerIndex(peers), ...routes.map((route, i) => ribRecord(route, i, isAddPath))];
  return new Uint8Array(Buffer.concat(records));
}

function peerIndex(peers: number): Buffer {
  const each = Array.from({ length: peers }, (_, i) => [2, 10, 0, 0, i, 10, 0, 0, i, ...u32(64500 + i)]);
  return record(1, [...u32(1), ...u16(4), ...Buffer.from("view"), ...u16(peers), ...each.flat()]);
}

function ribRecord({ prefix, paths }: RibRoute, sequence: number, isAddPath: boolean): Buffer {
  const isIpv4 = prefix.family === 4;
  const address = isIpv4 ? prefix.base.subarray(12) : prefix.base;
  const body = [
    ...u32(sequence),
    prefix.length,
    ...address.subarray(0, Math.ceil(prefix.length / 8)),
    ...u16(paths.length),
    ...paths.flatMap((path, i) => entry(path, isAddPath ? i + 1 : null)),
  ];
  return record((isIpv4 ? 2 : 4) + (isAddPath ? 6 : 0), body);
}

function entry({ peer, segments }: RibPath, pathId: number | null): number[] {
  const value = segments.flatMap(([type, asns]) => [type, asns.length, ...asns.flatMap(u32)]);
  const attributes = [...origin, 0x50, 2, ...u16(value.length), ...value, ...nextHop];
  return [
    ...u16(peer),
    ...u32(0),
    ...(pathId === null ? [] : u32(pathId)),
    ...u16(attributes.length),
    ...attributes,
  ];
}

function record(subtype: number, body: readonly number[]): Buffer {
  return Buffer.from([...u32(1_700_000_000), ...u16(13), ...u16(subtype), ...u32(body.length), ...body]);
}

function u16(value: number): number[] {
  return [value >>> 8, value & 0xff];
}

function u32(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}
