/**
 * Writes a pcap file of answers as an agent captures them: ICMP time exceeded, quoting our own UDP probes.
 *
 *     file    magic a1b23c4d (ns) u32 | version 2.4 | 0 i32 | 0 u32 | snap length u32 | link type 1 u32      all LE
 *     record  seconds u32 | nanoseconds u32 | captured u32 | length u32 | Ethernet 14 | IP | ICMP 8 | the whole probe
 *
 * Every second answer is IPv6. A block of different answers is made once and repeated, as building two million
 * probes would take longer than the bench.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { type Address, address, familyOf } from "../../../lib/net/ip/address.ts";
import type { Probe } from "../../../lib/net/packet/probe.ts";
import { tagKey } from "../../../lib/net/packet/tag.ts";
import { buildProbe, ipv4HeaderBytes, ipv6HeaderBytes } from "../../packet/build.ts";
import { internetChecksum } from "./internet-checksum.ts";

/** The agent `bench`, its instance 0, with this integrity key. */
export const benchSecret = "bench";
export const benchKey = tagKey(new TextEncoder().encode(benchSecret), "bench", 0);

const blockReplies = 16_384;
const snapBytes = 65_535;
const ethernetHeaderBytes = 14;
const icmpHeaderBytes = 8;
const routerTtl = 57;
/** 2026-01-01, in ticks of 0.1 ms: for answers that are read from a file, which day it is does not matter. */
const someTick = 17_672_256_000_000;
const rttTicks = 123;
const ticksPerSec = 10_000;
const nsPerTick = 100_000;

const vantagePoint = { 4: address("192.0.2.1"), 6: address("2001:db8::1") } as const;
const router = { 4: address("198.51.100.7"), 6: address("2001:db8:7::7") } as const;
const target = { 4: address("203.0.113.0"), 6: address("2001:db8:ffff::") } as const;

/**
 * Writes `count` answers; each matches `benchKey` and, in the file, has an RTT of 12.3 ms. The first probe left at
 * `startTick`, the others a tick (0.1 ms) apart.
 */
export function writeReplies(path: string, count: number, startTick = someTick): void {
  const length = Math.min(count, blockReplies);
  const records = Array.from({ length }, (_, i) => record(i, startTick + i));
  const block = Buffer.concat(records);
  const file = openSync(path, "w");
  writeSync(file, fileHeader());
  for (let left = count; left > 0; left -= blockReplies) {
    writeSync(file, left >= blockReplies ? block : Buffer.concat(records.slice(0, left)));
  }
  closeSync(file);
}

function fileHeader(): Uint8Array {
  const view = new DataView(new ArrayBuffer(24));
  view.setUint32(0, 0xa1b23c4d, true);
  view.setUint16(4, 2, true);
  view.setUint16(6, 4, true);
  view.setUint32(16, snapBytes, true);
  view.setUint32(20, 1, true);
  return new Uint8Array(view.buffer);
}

function record(index: number, sentTick: number): Uint8Array {
  const packet = timeExceeded(probeOf(index), sentTick);
  const receivedTick = sentTick + rttTicks;
  const header = new DataView(new ArrayBuffer(16 + ethernetHeaderBytes));
  header.setUint32(0, Math.floor(receivedTick / ticksPerSec), true);
  header.setUint32(4, (receivedTick % ticksPerSec) * nsPerTick, true);
  header.setUint32(8, ethernetHeaderBytes + packet.length, true);
  header.setUint32(12, ethernetHeaderBytes + packet.length, true);
  header.setUint16(16 + 12, familyOf(probeOf(index).dst) === 4 ? 0x0800 : 0x86dd);
  return Buffer.concat([new Uint8Array(header.buffer), packet]);
}

function probeOf(index: number): Probe {
  const dst = target[index % 2 === 0 ? 4 : 6].slice();
  dst[15] = index;
  return { dst, srcPort: 24_000 + (index % 64), dstPort: 33_434, ttl: 1 + (index % 24), protocol: "udp" };
}

/** RFC 792, RFC 4443 s.3.3: the error, then as much of the probe as there is. */
function timeExceeded(probe: Probe, tick: number): Uint8Array {
  const family = familyOf(probe.dst);
  const src = vantagePoint[family];
  const quote = buildProbe(probe, { src, tick, key: benchKey });
  const icmp = Buffer.concat([new Uint8Array(icmpHeaderBytes), quote]);
  icmp[0] = family === 4 ? 11 : 3;
  const ends = { from: router[family], to: src };
  const pseudoHeader = family === 4 ? new Uint8Array() : ipv6PseudoHeader(ends, icmp.length);
  icmp.writeUInt16BE(internetChecksum(Buffer.concat([pseudoHeader, icmp])), 2);
  const ip = family === 4 ? ipv4Header(ends, icmp.length) : ipv6Header(ends, icmp.length);
  return Buffer.concat([ip, icmp]);
}

interface Ends {
  readonly from: Address;
  readonly to: Address;
}

function ipv4Header({ from, to }: Ends, payloadBytes: number): Uint8Array {
  const header = Buffer.alloc(ipv4HeaderBytes);
  header[0] = 0x45;
  header.writeUInt16BE(header.length + payloadBytes, 2);
  header[8] = routerTtl;
  header[9] = 1;
  header.set(from.subarray(12), 12);
  header.set(to.subarray(12), 16);
  header.writeUInt16BE(internetChecksum(header), 10);
  return header;
}

function ipv6Header({ from, to }: Ends, payloadBytes: number): Uint8Array {
  const header = Buffer.alloc(ipv6HeaderBytes);
  header[0] = 0x60;
  header.writeUInt16BE(payloadBytes, 4);
  header[6] = 58;
  header[7] = routerTtl;
  header.set(from, 8);
  header.set(to, 24);
  return header;
}

/** RFC 8200 s.8.1. */
function ipv6PseudoHeader({ from, to }: Ends, payloadBytes: number): Uint8Array {
  const header = Buffer.alloc(40);
  header.set(from, 0);
  header.set(to, 16);
  header.writeUInt32BE(payloadBytes, 32);
  header[39] = 58;
  return header;
}
