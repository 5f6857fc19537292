/**
 * A probe as JSON: `["192.0.2.1", 24000, 33434, 7, "udp"]`, or an object with the names of these fields
 * (`dst`, `src_port`, `dst_port`, `ttl`, `protocol`). Each field means what it does in a probe line.
 */
import { PlainLines } from "./plain-line.ts";
import { encodeProbeInto, probeMessageBytes } from "./probe-codec.ts";
import { type LineResult, parseProbeLine } from "./probe-line.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Reads probes one by one, each straight into its message (probe-codec.ts). */
export class ProbeJsonParser {
  readonly #plain = new PlainLines();

  /** Writes the message of a probe in JSON to `into` at `at`; returns null, or the reason why it cannot. */
  read(text: Uint8Array, into: Uint8Array, at: number): string | null {
    if (this.readPlain(text, 0, into, at) === text.length) {
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
   * Reads an array in its usual form, which begins at `from` among other bytes; returns where it ends. -1 for any other
   * form, an invalid probe, or one that does not end here: `into` may then have been written to.
   */
  readPlain(bytes: Uint8Array, from: number, into: Uint8Array, at: number): number {
    return this.#plain.readJson(bytes, from, into, at);
  }
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
