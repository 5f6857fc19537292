/**
 * Probe lines, and probes as JSON arrays, in their plain form: straight from bytes to `Probe` messages, with no object
 * between them.
 *
 * Plain is what programs write: `192.0.2.1,24000,33434,7,UDP` with no spaces, IPv6 without an IPv4 tail, a line feed at
 * the end; in JSON `["192.0.2.1",24000,33434,7,"udp"]`, with any spaces. Any other form, valid or not, is
 * left to parseProbeLine, which defines the meaning of a line, and to JSON.parse; tests check that they
 * agree. A plain line takes some 50 ns.
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
/** The bit that makes a letter lower case. */
const caseBit = 0x20;

const dataAt = 16;
const addressAt = 32;
const template = encodeProbe({ dst: new Uint8Array(16), srcPort: 0, dstPort: 0, ttl: 0, protocol: "tcp" });

const noDigit = 16;
/** By byte: the value of a hexadecimal digit, and `noDigit` for any other byte. */
const hexDigits = new Uint8Array(256).fill(noDigit);
for (let digit = 0; digit < noDigit; digit++) {
  const letter = digit.toString(16);
  hexDigits[letter.charCodeAt(0)] = digit;
  hexDigits[letter.toUpperCase().charCodeAt(0)] = digit;
}

/** The names in small letters, as bytes. */
const names = [
  { bytes: new TextEncoder().encode("udp"), number: layout.protocolUdp },
  { bytes: new TextEncoder().encode("icmp"), number: layout.protocolIcmp },
  { bytes: new TextEncoder().encode("icmpv6"), number: layout.protocolIcmpv6 },
  { bytes: new TextEncoder().encode("tcp"), number: layout.protocolTcp },
];

export class PlainLines {
  #bytes: Uint8Array = new Uint8Array(0);
  #next = 0;
  /** The byte after an address. */
  #addressEnd = comma;
  /** The groups of an IPv6 address, without its gap. */
  readonly #groups = new Uint16Array(8);

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
    const protocol = ttl < 1 ? -1 : this.#protocol(family, lineFeed);
    put(into, at + dataAt, srcPort, dstPort, ttl, protocol);
    return protocol < 0 ? -1 : this.#next;
  }

  /** Reads a JSON array at `from`; returns where it ends. */
  readJson(bytes: Uint8Array, from: number, into: Uint8Array, at: number): number {
    this.#bytes = bytes;
    this.#next = from;
    this.#addressEnd = quote;
    const isText = this.#skip(openBracket) && this.#skip(quote);
    const family = isText ? this.#address(into, at) : 0;
    const srcPort = family === 0 ? -1 : this.#jsonNumber(65_535);
    const dstPort = srcPort < 0 ? -1 : this.#jsonNumber(65_535);
    const ttl = dstPort < 0 ? -1 : this.#jsonNumber(255);
    const isName = ttl > 0 && this.#skip(comma) && this.#skip(quote);
    const protocol = isName ? this.#protocol(family, quote) : -1;
    put(into, at + dataAt, srcPort, dstPort, ttl, protocol);
    return protocol >= 0 && this.#skip(closeBracket) ? this.#next : -1;
  }

  /** Writes the address into a message of zeros, and returns its family; 0 = it is not plain. */
  #address(into: Uint8Array, at: number): 0 | 4 | 6 {
    const from = this.#next;
    into.set(template, at);
    if (this.#ipv4(into, at + addressAt)) {
      return 4;
    }
    this.#next = from;
    return this.#ipv6(into, at + addressAt) ? 6 : 0;
  }

  /** Skips spaces and then this byte; false if another byte follows. */
  #skip(byte: number): boolean {
    const bytes = this.#bytes;
    let next = this.#next;
    while (bytes[next] === space) {
      next++;
    }
    this.#next = next + 1;
    return bytes[next] === byte;
  }

  /** A comma and a number up to `max` without leading zeros; -1 otherwise. */
  #jsonNumber(max: number): number {
    if (!this.#skip(comma)) {
      return -1;
    }
    const bytes = this.#bytes;
    let start = this.#next;
    while (bytes[start] === space) {
      start++;
    }
    const value = this.#digits(start, 5);
    const hasLeadingZero = bytes[start] === digitZero && this.#next > start + 1;
    return value > max || hasLeadingZero ? -1 : value;
  }

  /** Four decimal numbers and the end behind them. */
  #ipv4(into: Uint8Array, at: number): boolean {
    const bytes = this.#bytes;
    let start = this.#next;
    for (let part = 0; part < 4; part++) {
      const value = this.#digits(start, 3);
      const next = this.#next;
      const hasLeadingZero = bytes[start] === digitZero && next > start + 1;
      if (value < 0 || value > 255 || hasLeadingZero || bytes[next] !== (part < 3 ? dot : this.#addressEnd)) {
        return false;
      }
      start = next + 1;
      into[at + 12 + part] = value;
    }
    this.#next = start;
    into[at + 10] = 0xff;
    into[at + 11] = 0xff;
    return true;
  }

  /** Groups of hexadecimal digits, one `::` at most, and the end behind them (RFC 4291 s.2.2). */
  #ipv6(into: Uint8Array, at: number): boolean {
    const bytes = this.#bytes;
    const addressEnd = this.#addressEnd;
    const groups = this.#groups;
    let next = this.#next;
    let count = 0;
    let gapAt = -1;
    if (bytes[next] === colon) {
      if (bytes[next + 1] !== colon) {
        return false;
      }
      gapAt = 0;
      next += 2;
    }
    while (bytes[next] !== addressEnd) {
      const start = next;
      let value = 0;
      for (let digit = hexDigits[bytes[next] ?? 0] ?? noDigit; digit < noDigit; ) {
        value = (value << 4) | digit;
        digit = hexDigits[bytes[++next] ?? 0] ?? noDigit;
      }
      const digits = next - start;
      if (digits < 1 || digits > 4 || count === 8) {
        return false;
      }
      groups[count++] = value;
      const behind = bytes[next];
      if (behind === addressEnd) {
        break;
      }
      if (behind !== colon) {
        return false;
      }
      // Either a second colon (once) or a group follows.
      next++;
      if (bytes[next] === colon && gapAt < 0) {
        gapAt = count;
        next++;
      } else if (bytes[next] === addressEnd) {
        return false;
      }
    }
    this.#next = next + 1;
    return this.#putGroups(into, at, count, gapAt);
  }

  /**
   * Writes the groups, with zeros in the gap; false for too few or too many groups, or a mapped IPv4 address.
   */
  #putGroups(into: Uint8Array, at: number, count: number, gapAt: number): boolean {
    const groups = this.#groups;
    if (gapAt < 0 ? count !== 8 : count === 8) {
      return false;
    }
    const before = gapAt < 0 ? 8 : gapAt;
    const behindAt = gapAt + 8 - count;
    for (let group = 0; group < 8; group++) {
      const isBefore = group < before;
      const value = isBefore ? groups[group] : group >= behindAt ? groups[group - 8 + count] : 0;
      into[at + 2 * group] = (value ?? 0) >> 8;
      into[at + 2 * group + 1] = value ?? 0;
    }
    return !isMapped(into, at);
  }

  /** A decimal number up to `max` and a comma; -1 otherwise. */
  #decimal(max: number): number {
    const value = this.#digits(this.#next, 5);
    if (value > max || this.#bytes[this.#next] !== comma) {
      return -1;
    }
    this.#next++;
    return value;
  }

  /** Up to `digitsMax` decimal digits at `start`; -1 when there is none. */
  #digits(start: number, digitsMax: number): number {
    const bytes = this.#bytes;
    let value = 0;
    let next = start;
    for (; next < start + digitsMax; next++) {
      const digit = (bytes[next] ?? 0) - digitZero;
      if (digit < 0 || digit > 9) {
        break;
      }
      value = value * 10 + digit;
    }
    this.#next = next;
    return next === start ? -1 : value;
  }

  /** The protocol's name, which must fit the family, and then the byte `end`; -1 otherwise. */
  #protocol(family: 0 | 4 | 6, end: number): number {
    const bytes = this.#bytes;
    const start = this.#next;
    for (const { bytes: name, number } of names) {
      if (bytes[start + name.length] === end && isName(bytes, start, name)) {
        this.#next = start + name.length + 1;
        return number === (family === 4 ? layout.protocolIcmpv6 : layout.protocolIcmp) ? -1 : number;
      }
    }
    return -1;
  }
}

/** Writes to the data section at `at`. */
function put(
  into: Uint8Array,
  at: number,
  srcPort: number,
  dstPort: number,
  ttl: number,
  protocol: number,
): void {
  into[at + layout.probeSrcPortOffset] = srcPort;
  into[at + layout.probeSrcPortOffset + 1] = srcPort >> 8;
  into[at + layout.probeDstPortOffset] = dstPort;
  into[at + layout.probeDstPortOffset + 1] = dstPort >> 8;
  into[at + layout.probeTtlOffset] = ttl;
  into[at + layout.probeProtocolOffset] = protocol;
}

function isName(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) {
    const byte = bytes[start + i] ?? 0;
    // Setting the bit would also turn a control character into a digit.
    if ((byte | caseBit) !== name[i] || byte < digitZero) {
      return false;
    }
  }
  return true;
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
