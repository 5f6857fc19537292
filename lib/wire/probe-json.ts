/**
 * A probe as JSON: `["192.0.2.1", 24000, 33434, 7, "udp"]`, or an object with the names of these fields
 * (`dst`, `src_port`, `dst_port`, `ttl`, `protocol`). Each field means what it does in a probe line.
 */
import { PlainLines } from "./plain-line.ts";
import { encodeProbeInto, probeMessageBytes } from "./probe-codec.ts";
import { type LineResult, parseProbeLine } from "./probe-line.ts";

/** The longest good probe has 67 bytes as a line. */
const lineBytes = 96;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Reads probes one by one, each straight into its message (probe-codec.ts). */
export class ProbeJsonParser {
  readonly #plain = new PlainLines();
  readonly #line = new Uint8Array(lineBytes);
  #text: Uint8Array = this.#line;
  #at = 0;
  #length = 0;

  /** Writes the message of the probe whose JSON this is to `into` at `at`; else returns the reason why it cannot. */
  read(text: Uint8Array, into: Uint8Array, at: number): string | null {
    const length = this.#lineOf(text);
    if (length > 0 && this.#plain.read(this.#line, 0, into, at) === length) {
      return null;
    }
    const result = parseValue(text);
    if (!result.ok) {
      return result.message;
    }
    encodeProbeInto(result.probe, into.subarray(at, at + probeMessageBytes).fill(0));
    return null;
  }

  /**
   * Writes an array in its usual form as a probe line with its end, without a string or an object on the way; returns
   * its length, 0 for any other form, which takes the slow path.
   */
  #lineOf(text: Uint8Array): number {
    this.#text = text;
    this.#at = 0;
    this.#length = 0;
    if (text.length > lineBytes || !this.#skip(openBracket)) {
      return 0;
    }
    const isUsual =
      this.#copyText() &&
      this.#copyComma() &&
      this.#copyNumber() &&
      this.#copyComma() &&
      this.#copyNumber() &&
      this.#copyComma() &&
      this.#copyNumber() &&
      this.#copyComma() &&
      this.#copyText() &&
      this.#skip(closeBracket);
    this.#line[this.#length++] = lineFeed;
    return isUsual && this.#at === text.length ? this.#length : 0;
  }

  #skip(byte: number): boolean {
    while (this.#text[this.#at] === space) {
      this.#at++;
    }
    return this.#text[this.#at++] === byte;
  }

  #copyComma(): boolean {
    this.#line[this.#length++] = comma;
    return this.#skip(comma);
  }

  #copyText(): boolean {
    if (!this.#skip(quote)) {
      return false;
    }
    for (; this.#at < this.#text.length; this.#at++) {
      const byte = this.#text[this.#at] ?? 0;
      if (byte === quote) {
        this.#at++;
        return true;
      }
      if (byte <= space || byte === comma || byte === backslash || byte > asciiMax) {
        return false;
      }
      this.#line[this.#length++] = byte;
    }
    return false;
  }

  #copyNumber(): boolean {
    while (this.#text[this.#at] === space) {
      this.#at++;
    }
    const start = this.#at;
    for (; isDigit(this.#text[this.#at]); this.#at++) {
      this.#line[this.#length++] = this.#text[this.#at] ?? 0;
    }
    const digits = this.#at - start;
    return digits === 1 || (digits > 1 && this.#text[start] !== zero);
  }
}

const lineFeed = 0x0a;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const zero = 0x30;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const asciiMax = 0x7e;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= zero + 9;
}

interface Refused {
  readonly ok: false;
  readonly message: string;
}

const shape = "Expected an array of 5: [dst, src_port, dst_port, ttl, protocol]";

function parseValue(text: Uint8Array): LineResult | Refused {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(text));
  } catch {
    return { ok: false, message: "Expected JSON" };
  }
  const [dst, srcPort, dstPort, ttl, protocol, ...more] = valuesOf(value);
  const areNumbers = [srcPort, dstPort, ttl].every((number) => typeof number === "number");
  if (typeof dst !== "string" || typeof protocol !== "string" || !areNumbers || more.length > 0) {
    return { ok: false, message: shape };
  }
  // A comma in a string would make six fields of the line; no valid value has one.
  const line = [dst, srcPort, dstPort, ttl, protocol].map((field) => String(field).replaceAll(",", ";"));
  return parseProbeLine(encoder.encode(line.join(",")));
}

function valuesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return value;
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  const { dst, src_port, dst_port, ttl, protocol, ...more } = value as Readonly<Record<string, unknown>>;
  return [dst, src_port, dst_port, ttl, protocol, ...Object.keys(more)];
}
