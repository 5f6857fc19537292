/**
 * Probe lines, and probes as JSON arrays, in their plain form: straight from bytes to `Probe` messages, with no object
 * between them.
 *
 * Plain is what programs write: `192.0.2.1,24000,33434,7,UDP` with no spaces, IPv6 without an IPv4 tail, a line feed at
 * the end; in JSON `["192.0.2.1",24000,33434,7,"udp"]`, with any spaces. Every other one, good or bad, is left to
 * parseProbeLine, which defines what a line means, and to JSON.parse: tests hold them together. A plain line takes some
 * 50 ns.
 */
import * as layout from "./layout.ts";
import { encodeProbe } from "./probe-codec.ts";

const lineFeed = 0x0a;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const dot = 0x2e;
const colon = 0x3a;
const digitZero = 0x30;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const letterA = 0x61;
/** The bit that makes a letter lower case. */
const caseBit = 0x20;

const dataAt = 16;
const addressAt = 32;
const template = encodeProbe({ dst: new Uint8Array(16), srcPort: 0, dstPort: 0, ttl: 0, protocol: "tcp" });

/** The names in small letters, as bytes. */
const names = [
  { bytes: new TextEncoder().encode("udp"), number: layout.protocolUdp },
  { bytes: new TextEncoder().encode("icmp"), number: layout.protocolIcmp },
  { bytes: new TextEncoder().encode("icmpv6"), number: layout.protocolIcmpv6 },
  { bytes: new TextEncoder().encode("tcp"), number: layout.protocolTcp },
];

interface PlainProbe {
  readonly family: 0 | 4 | 6;
  readonly srcPort: number;
  readonly dstPort: number;
  readonly ttl: number;
  /** Below 0 where any of them is not plain. */
  readonly protocol: number;
}

export class PlainLines {
  #bytes: Uint8Array = new Uint8Array(0);
  #next = 0;
  /** The byte behind an address. */
  #addressEnd = comma;

  /**
   * Writes the message of the line at `from` to `into` at `at`; returns where the next line starts. -1 when the line
   * is not plain, or does not end within `bytes`; `into` may then have been written to.
   */
  read(bytes: Uint8Array, from: number, into: Uint8Array, at: number): number {
    this.#bytes = bytes;
    this.#next = from;
    this.#addressEnd = comma;
    const family = this.#address(into, at);
    const srcPort = family === 0 ? -1 : this.#decimal(65_535);
    const dstPort = srcPort < 0 ? -1 : this.#decimal(65_535);
    const ttl = dstPort < 0 ? -1 : this.#decimal(255);
    const protocol = ttl < 1 ? -1 : this.#protocol(lineFeed);
    return this.#put(into, at, { family, srcPort, dstPort, ttl, protocol }) ? this.#next : -1;
  }

  /** The same for the JSON array at `from`; returns where it ends. */
  readJson(bytes: Uint8Array, from: number, into: Uint8Array, at: number): number {
    this.#bytes = bytes;
    this.#next = from;
    this.#addressEnd = quote;
    const isText = this.#skip(openBracket) && this.#skip(quote);
    const family = isText ? this.#address(into, at) : 0;
    const srcPort = family === 0 ? -1 : this.#jsonNumber(65_535);
    const dstPort = srcPort < 0 ? -1 : this.#jsonNumber(65_535);
    const ttl = dstPort < 0 ? -1 : this.#jsonNumber(255);
    const protocol = ttl > 0 && this.#skip(comma) && this.#skip(quote) ? this.#protocol(quote) : -1;
    const isProbe = this.#put(into, at, { family, srcPort, dstPort, ttl, protocol });
    return isProbe && this.#skip(closeBracket) ? this.#next : -1;
  }

  /** The family of the address, which is written into a message of zeros; 0 = it is not plain. */
  #address(into: Uint8Array, at: number): 0 | 4 | 6 {
    const from = this.#next;
    into.set(template, at);
    if (this.#ipv4(into, at + addressAt)) {
      return 4;
    }
    this.#next = from;
    return this.#ipv6(into, at + addressAt) ? 6 : 0;
  }

  #put(into: Uint8Array, at: number, { family, srcPort, dstPort, ttl, protocol }: PlainProbe): boolean {
    if (protocol < 0 || protocol === (family === 4 ? layout.protocolIcmpv6 : layout.protocolIcmp)) {
      return false;
    }
    this.#put16(into, at + dataAt + layout.probeSrcPortOffset, srcPort);
    this.#put16(into, at + dataAt + layout.probeDstPortOffset, dstPort);
    into[at + dataAt + layout.probeTtlOffset] = ttl;
    into[at + dataAt + layout.probeProtocolOffset] = protocol;
    return true;
  }

  /** Spaces, and then this byte. */
  #skip(byte: number): boolean {
    while (this.#bytes[this.#next] === space) {
      this.#next++;
    }
    return this.#bytes[this.#next++] === byte;
  }

  /** A comma and a number up to `max`, which has no zeros in front; -1 else. */
  #jsonNumber(max: number): number {
    if (!this.#skip(comma)) {
      return -1;
    }
    while (this.#bytes[this.#next] === space) {
      this.#next++;
    }
    const start = this.#next;
    const value = this.#digits(5);
    const hasLeadingZero = this.#bytes[start] === digitZero && this.#next > start + 1;
    return value > max || hasLeadingZero ? -1 : value;
  }

  #put16(into: Uint8Array, at: number, value: number): void {
    into[at] = value;
    into[at + 1] = value >> 8;
  }

  /** Four decimal numbers and the end behind them. */
  #ipv4(into: Uint8Array, at: number): boolean {
    for (let part = 0; part < 4; part++) {
      const start = this.#next;
      const value = this.#digits(3);
      const hasLeadingZero = this.#bytes[start] === digitZero && this.#next > start + 1;
      if (
        value < 0 ||
        value > 255 ||
        hasLeadingZero ||
        this.#bytes[this.#next] !== (part < 3 ? dot : this.#addressEnd)
      ) {
        return false;
      }
      this.#next++;
      into[at + 12 + part] = value;
    }
    into[at + 10] = 0xff;
    into[at + 11] = 0xff;
    return true;
  }

  /** Groups of hexadecimal digits, one `::` at most, and the end behind them (RFC 4291 s.2.2). */
  #ipv6(into: Uint8Array, at: number): boolean {
    const bytes = this.#bytes;
    const addressEnd = this.#addressEnd;
    let groups = 0;
    let gapAt = -1;
    into.fill(0, at, at + 16);
    if (bytes[this.#next] === colon) {
      if (bytes[this.#next + 1] !== colon) {
        return false;
      }
      gapAt = 0;
      this.#next += 2;
    }
    while (bytes[this.#next] !== addressEnd) {
      const value = groups < 8 ? this.#group() : -1;
      if (value < 0) {
        return false;
      }
      into[at + 2 * groups] = value >> 8;
      into[at + 2 * groups + 1] = value;
      groups++;
      if (bytes[this.#next] === addressEnd) {
        break;
      }
      // A colon, behind which comes another one, once, or a group.
      this.#next++;
      if (bytes[this.#next] === colon && gapAt < 0) {
        gapAt = groups;
        this.#next++;
      } else if (bytes[this.#next] === addressEnd) {
        return false;
      }
    }
    this.#next++;
    return this.#fillGap(into, at, { groups, gapAt }) && !isMapped(into, at);
  }

  #fillGap(into: Uint8Array, at: number, { groups, gapAt }: { groups: number; gapAt: number }): boolean {
    if (gapAt < 0 || groups === 8) {
      return gapAt < 0 && groups === 8;
    }
    const behind = groups - gapAt;
    into.copyWithin(at + 16 - 2 * behind, at + 2 * gapAt, at + 2 * groups);
    into.fill(0, at + 2 * gapAt, at + 16 - 2 * behind);
    return true;
  }

  /** One to four hexadecimal digits with a colon or the end behind them; -1 else. */
  #group(): number {
    const bytes = this.#bytes;
    let value = 0;
    let digits = 0;
    for (; digits < 5; digits++) {
      const digit = hexDigit(bytes[this.#next] ?? 0);
      if (digit < 0) {
        break;
      }
      value = value * 16 + digit;
      this.#next++;
    }
    const end = bytes[this.#next];
    return digits >= 1 && digits <= 4 && (end === colon || end === this.#addressEnd) ? value : -1;
  }

  /** A decimal number up to `max` and the comma behind it; -1 else. */
  #decimal(max: number): number {
    const value = this.#digits(5);
    if (value > max || this.#bytes[this.#next] !== comma) {
      return -1;
    }
    this.#next++;
    return value;
  }

  /** Up to so many decimal digits; -1 when there is none. */
  #digits(digitsMax: number): number {
    const bytes = this.#bytes;
    const start = this.#next;
    let value = 0;
    for (let next = start; next < start + digitsMax; next++) {
      const digit = (bytes[next] ?? 0) - digitZero;
      if (digit < 0 || digit > 9) {
        break;
      }
      value = value * 10 + digit;
      this.#next = next + 1;
    }
    return this.#next === start ? -1 : value;
  }

  /** A name and this byte behind it; -1 else. */
  #protocol(end: number): number {
    for (const { bytes: name, number } of names) {
      if (this.#bytes[this.#next + name.length] === end && this.#isName(name)) {
        this.#next += name.length + 1;
        return number;
      }
    }
    return -1;
  }

  #isName(name: Uint8Array): boolean {
    for (let i = 0; i < name.length; i++) {
      const byte = this.#bytes[this.#next + i] ?? 0;
      // The bit would also make a digit of a control character.
      if ((byte | caseBit) !== name[i] || byte < digitZero) {
        return false;
      }
    }
    return true;
  }
}

/** IPv4 has one spelling: `::ffff:192.0.2.1` and its like are refused. */
function isMapped(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < 10; i++) {
    if (bytes[at + i] !== 0) {
      return false;
    }
  }
  return bytes[at + 10] === 0xff && bytes[at + 11] === 0xff;
}

function hexDigit(byte: number): number {
  if (byte >= digitZero && byte <= digitZero + 9) {
    return byte - digitZero;
  }
  const letter = (byte | caseBit) - letterA;
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}
