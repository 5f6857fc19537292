/**
 * Streamed targets: a prefix or an address per line, in chunks with arbitrary boundaries. `#` starts a comment.
 *
 * No line becomes an object: an IPv4 entry is one number of 8 bytes, an IPv6 one three, until all are sorted.
 */
import { withoutPassword } from "../../../../lib/base/failure/without-password.ts";
import { mergeSorted } from "../../../../lib/base/list/merge-sort.ts";
import { NumberList } from "../../../../lib/base/list/number-list.ts";
import type { Steps } from "../../../../lib/base/list/steps.ts";
import { addressOfText, isIpv4 } from "../../../../lib/net/ip/address.ts";
import { hasHostBits, type Prefix } from "../../../../lib/net/ip/prefix.ts";
import { because, readPrefix } from "../../../../lib/net/ip/typed-address.ts";
import { targetLineBytesMax, unitsMax } from "./limits.ts";

const newline = 0x0a;
const comment = 0x23;

const placesAtOnce = 8192;

/** Eight groups of four digits, and a length. */
const ipv6PrefixBytesMax = 43;

/** Bytes per step: some 1,500 lines of IPv6, or 1 ms; 8 ms for those that only ipaddr.js can parse. */
export const targetBytesAtOnce = 32 << 10;

/** A whole text, in steps. Throws RangeError as `TargetReader` does. */
export function* readTargets(text: string): Steps<TargetList> {
  const reader = new TargetReader();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += targetBytesAtOnce) {
    reader.push(bytes.subarray(at, at + targetBytesAtOnce));
    yield;
  }
  return yield* reader.finish();
}

export class TargetReader {
  readonly list = new TargetList();
  #line = 0;
  /** The start of an incomplete line. */
  #rest = new Uint8Array(0);

  /** Throws RangeError with the line's number and the reason. */
  push(chunk: Uint8Array): void {
    let from = 0;
    if (this.#rest.length > 0) {
      const end = chunk.indexOf(newline);
      const line = Buffer.concat([this.#rest, end < 0 ? chunk : chunk.subarray(0, end)]);
      this.#keep(end < 0 ? line : new Uint8Array(0));
      if (end < 0) {
        return;
      }
      this.#take(line, 0, line.length);
      from = end + 1;
    }
    for (let end = chunk.indexOf(newline, from); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#take(chunk, from, end);
      from = end + 1;
    }
    this.#keep(chunk.slice(from));
  }

  /** The whole list, sorted. Throws RangeError for a bad last line and for an empty list. */
  *finish(): Steps<TargetList> {
    if (this.#rest.length > 0) {
      this.#take(this.#rest, 0, this.#rest.length);
    }
    if (this.list.size === 0) {
      throw new RangeError("must name a target");
    }
    yield* this.list.sort();
    return this.list;
  }

  #keep(rest: Uint8Array<ArrayBuffer>): void {
    if (rest.length > targetLineBytesMax) {
      throw new RangeError(`line ${this.#line + 1}: has more than ${targetLineBytesMax} bytes`);
    }
    this.#rest = rest;
  }

  #take(bytes: Uint8Array, from: number, to: number): void {
    this.#line++;
    if (from === to || bytes[from] === comment) {
      return;
    }
    const plain = ipv4Key(bytes, from, to);
    if (plain >= 0) {
      this.list.addIpv4(plain);
      return;
    }
    const prefix = ipv6Prefix(bytes, from, to);
    if (prefix !== null) {
      this.list.add(prefix);
      return;
    }
    const text = Buffer.from(bytes.subarray(from, Math.min(to, from + targetLineBytesMax))).toString();
    const entry = text.replace(/#.*/s, "").trim();
    const read = entry === "" ? null : readPrefix(entry);
    if (read?.ok === true) {
      this.list.add(read.value);
    } else if (read !== null) {
      const reason = because("is not an address or a prefix", read.reason);
      throw new RangeError(`line ${this.#line}: "${withoutPassword(entry).slice(0, 50)}" ${reason}`);
    }
  }
}

/** Entries as numbers of doubles: IPv4 as address x 64 + length, IPv6 as 48, 48, and 32 bits x 256 + length. */
class TargetList {
  readonly #ipv4 = new NumberList();
  readonly #ipv6 = new NumberList();
  #sortedIpv4 = new Float64Array(0);
  /** Positions of IPv6 entries; `#below` of them precede IPv4, whose addresses are mapped. */
  #order = new Uint32Array(0);
  #below = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Its memory, including what sorting needs. */
  get bytes(): number {
    return 2 * 8 * this.#ipv4.length + (3 * 8 + 2 * 4) * (this.#ipv6.length / 3);
  }

  addIpv4(key: number): void {
    this.#ipv4.push(key);
    this.#countOne();
  }

  add({ base, length, family }: Prefix): void {
    if (family === 4) {
      this.addIpv4(64 * numberOf(base, 12, 16) + length);
      return;
    }
    this.#ipv6.push(numberOf(base, 0, 6));
    this.#ipv6.push(numberOf(base, 6, 12));
    this.#ipv6.push(256 * numberOf(base, 12, 16) + length);
    this.#countOne();
  }

  /** By address, and shorter prefixes first. */
  *sort(): Steps<void> {
    this.#sortedIpv4 = yield* mergeSorted(yield* this.#ipv4.taken());
    const words = this.#ipv6;
    const word = (entry: number, at: number) => words.at(3 * entry + at);
    const places = new Uint32Array(words.length / 3);
    for (let at = 0; at < places.length; at++) {
      places[at] = at;
      if (at % placesAtOnce === 0) {
        yield;
      }
    }
    this.#order = yield* mergeSorted(
      places,
      (a, b) => word(a, 0) - word(b, 0) || word(a, 1) - word(b, 1) || word(a, 2) - word(b, 2),
    );
    const isAbove = (entry: number) => word(entry, 0) > 0 || word(entry, 1) > 0xffff;
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      [low, high] = isAbove(this.#order[middle] ?? 0) ? [low, middle] : [middle + 1, high];
    }
    this.#below = low;
  }

  /** Writes an entry's 16 bytes, by its position in the order; returns its length, of 128 bits. */
  read(index: number, base: Uint8Array): number {
    const at = index - this.#below;
    const ipv4 = this.#sortedIpv4.length;
    if (at < 0 || at >= ipv4) {
      return this.#readIpv6(this.#order[at < 0 ? index : index - ipv4] ?? 0, base);
    }
    const key = this.#sortedIpv4[at] ?? 0;
    const address = Math.floor(key / 64);
    base.fill(0, 0, 10);
    base.fill(0xff, 10, 12);
    writeNumber(base, address, 12, 16);
    return 96 + key - 64 * address;
  }

  #readIpv6(entry: number, base: Uint8Array): number {
    const last = this.#ipv6.at(3 * entry + 2);
    const low = Math.floor(last / 256);
    writeNumber(base, this.#ipv6.at(3 * entry), 0, 6);
    writeNumber(base, this.#ipv6.at(3 * entry + 1), 6, 12);
    writeNumber(base, low, 12, 16);
    return last - 256 * low;
  }

  #countOne(): void {
    if (++this.#size > unitsMax) {
      throw new RangeError(`are more than ${unitsMax} lines: give wider prefixes`);
    }
  }
}

export type { TargetList };

function numberOf(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    value = 256 * value + (bytes[at] ?? 0);
  }
  return value;
}

function writeNumber(bytes: Uint8Array, value: number, from: number, to: number): void {
  let left = value;
  for (let at = to - 1; at >= from; at--) {
    const rest = Math.floor(left / 256);
    bytes[at] = left - 256 * rest;
    left = rest;
  }
}

/** The key of a plain IPv4 line; -1 = another line, or a bad one: see `readPrefix`. */
function ipv4Key(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  let address = 0;
  for (let part = 0; part < 4; part++) {
    if (part > 0 && bytes[at++] !== 0x2e) {
      return -1;
    }
    const end = digitsEnd(bytes, at, to);
    const value = decimal(bytes, at, end);
    if (value > 255 || (end - at > 1 && bytes[at] === 0x30) || end === at) {
      return -1;
    }
    address = 256 * address + value;
    at = end;
  }
  let length = 32;
  if (at < to && bytes[at] === 0x2f) {
    const end = digitsEnd(bytes, at + 1, to);
    length = readLength(bytes, at + 1, end);
    at = end;
  }
  const isEnd = at === to || (at === to - 1 && bytes[at] === 0x0d);
  const hostBits = length === 0 ? -1 : 2 ** (32 - length) - 1;
  return isEnd && length <= 32 && (address & hostBits) === 0 ? 64 * address + length : -1;
}

/** The prefix of a plain IPv6 line; null = another line, or a bad one: see `readPrefix`. */
function ipv6Prefix(bytes: Uint8Array, from: number, to: number): Prefix | null {
  const end = bytes[to - 1] === 0x0d ? to - 1 : to;
  if (end - from > ipv6PrefixBytesMax) {
    return null;
  }
  const addressEnd = endOfAddress(bytes, from, end);
  const base = addressEnd < 0 ? null : addressOfText(bytes, from, addressEnd);
  const hasLength = addressEnd < end;
  const lengthEnd = hasLength ? digitsEnd(bytes, addressEnd + 1, end) : end;
  const length = hasLength ? readLength(bytes, addressEnd + 1, lengthEnd) : 128;
  if (base === null || isIpv4(base) || lengthEnd < end || length > 128 || hasHostBits(base, length)) {
    return null;
  }
  return { base, length, family: 6 };
}

/** Where the slash is, or the end; -1 = it has no colon. */
function endOfAddress(bytes: Uint8Array, from: number, end: number): number {
  let isIpv6 = false;
  let at = from;
  for (; at < end && bytes[at] !== 0x2f; at++) {
    isIpv6 ||= bytes[at] === 0x3a;
  }
  return isIpv6 ? at : -1;
}

/** More than any length = there is none. */
function readLength(bytes: Uint8Array, from: number, to: number): number {
  return from === to ? Number.POSITIVE_INFINITY : decimal(bytes, from, to);
}

/** After at most three digits. */
function digitsEnd(bytes: Uint8Array, from: number, to: number): number {
  const most = Math.min(to, from + 3);
  let at = from;
  while (at < most && (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39) {
    at++;
  }
  return at;
}

function decimal(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    value = 10 * value + (bytes[at] ?? 0) - 0x30;
  }
  return value;
}
