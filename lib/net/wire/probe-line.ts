/**
 * A probe as a line of text: `dst,src_port,dst_port,ttl,protocol`, for example `192.0.2.1,24000,33434,7,UDP`.
 *
 * Spaces around a field are ignored. Ports are 0–65535 and TTL 1–255, in decimal; a protocol is udp, icmp, icmpv6
 * or tcp in any case. ICMP is for IPv4 and ICMPv6 for IPv6.
 */
import { withoutPassword } from "../../base/failure/without-password.ts";
import { type Address, addressOfText, familyOf, formatAddress } from "../ip/address.ts";
import { readHost } from "../ip/typed-host.ts";
import { type Probe, type Protocol, protocolFitsFamily, protocols } from "../packet/probe.ts";
import { quotedTextMax } from "./limits.ts";
import { trimmed } from "./line-reader.ts";

/** Why a line is refused: a closed list, one counter each. */
export type LineReason =
  | "fieldCount"
  | "address"
  | "sourcePort"
  | "destinationPort"
  | "ttl"
  | "protocol"
  | "protocolFamily"
  | "tooLong";

/** `message` is for people: it names the value and what is expected. */
export type LineResult =
  | { readonly ok: true; readonly probe: Probe }
  | { readonly ok: false; readonly reason: LineReason; readonly message: string };

/** The names that existing clients read; they compare them letter by letter. */
const writtenName: Readonly<Record<Protocol, string>> = {
  udp: "UDP",
  icmp: "ICMP",
  icmpv6: "ICMPv6",
  tcp: "TCP",
};

const fieldNames = "dst,src_port,dst_port,ttl,protocol";
const comma = 0x2c;
const digitZero = 0x30;

/** Writes the line of a probe, without a line end. */
export function formatProbeLine(probe: Probe): string {
  const { dst, srcPort, dstPort, ttl, protocol } = probe;
  return `${formatAddress(dst)},${srcPort},${dstPort},${ttl},${writtenName[protocol]}`;
}

/** Reads one line, given as bytes without its end; blank lines and comments are the caller's. */
export function parseProbeLine(line: Uint8Array): LineResult {
  const ends = fieldEnds(line);
  if (ends.length !== 5) {
    return refused("fieldCount", `Expected 5 fields (${fieldNames}), found ${ends.length}`);
  }
  const field = (i: number) => trimmed(line, i === 0 ? 0 : (ends[i - 1] ?? 0) + 1, ends[i] ?? 0);
  const dst = addressOfText(field(0));
  if (dst === null) {
    return refused("address", `${quoted(field(0))} is ${whatInstead(field(0))}`);
  }
  const srcPort = decimal(field(1));
  if (srcPort > 65535) {
    return refused("sourcePort", `Source port ${quoted(field(1))} is not a number from 0 to 65535`);
  }
  const dstPort = decimal(field(2));
  if (dstPort > 65535) {
    return refused("destinationPort", `Destination port ${quoted(field(2))} is not a number from 0 to 65535`);
  }
  const ttl = decimal(field(3));
  if (ttl < 1 || ttl > 255) {
    return refused("ttl", `TTL ${quoted(field(3))} is not a number from 1 to 255`);
  }
  const protocol = protocolOf(field(4));
  if (protocol === null) {
    return refused("protocol", `Protocol ${quoted(field(4))} is not one of ${protocols.join(", ")}`);
  }
  if (!protocolFitsFamily(protocol, familyOf(dst))) {
    return refused("protocolFamily", familyMessage(protocol, dst));
  }
  return { ok: true, probe: { dst, srcPort, dstPort, ttl, protocol } };
}

function refused(reason: LineReason, message: string): LineResult {
  return { ok: false, reason, message };
}

/** Hints for common mistakes in place of an address. */
function whatInstead(field: Uint8Array): string {
  const text = textOf(field.subarray(0, quotedTextMax));
  if (/^::ffff:[\d.]+$/i.test(text)) {
    return `a mapped IPv4 address: write it as ${text.slice("::ffff:".length)}`;
  }
  if (/^[\d:.a-f]+\/\d+$/i.test(text)) {
    return "a prefix, not an IP address: vantage probes makes lines of it";
  }
  if (/^[\w-]+(\.[\w-]+)*\.[a-z]{2,}$/i.test(text)) {
    return "a name, not an IP address: look it up first";
  }
  const typed = readHost(text);
  switch (typed.kind) {
    case "address":
      return `not an IP address as lines have it: write ${formatAddress(typed.address)}`;
    case "name":
      return "not an IP address";
    case "bad":
      return /: write (?!four|it|one|an)/.test(typed.reason)
        ? `not an IP address, it ${typed.reason}`
        : "not an IP address";
  }
}

function familyMessage(protocol: Protocol, dst: Address): string {
  const other = protocol === "icmp" ? "icmpv6" : "icmp";
  return `Protocol ${protocol} cannot go to ${formatAddress(dst)}: use ${other}`;
}

/** Where each field ends: at a comma, the last at the end of the line. */
function fieldEnds(line: Uint8Array): number[] {
  const ends: number[] = [];
  for (let at = line.indexOf(comma); at >= 0; at = line.indexOf(comma, at + 1)) {
    ends.push(at);
  }
  ends.push(line.length);
  return ends;
}

/** The value of 1 to 5 decimal digits; Infinity for anything else. */
function decimal(digits: Uint8Array): number {
  if (digits.length === 0 || digits.length > 5) {
    return Infinity;
  }
  let value = 0;
  for (const byte of digits) {
    const digit = byte - digitZero;
    if (digit < 0 || digit > 9) {
      return Infinity;
    }
    value = value * 10 + digit;
  }
  return value;
}

function protocolOf(text: Uint8Array): Protocol | null {
  const name = text.length > 6 ? "" : textOf(text).toLowerCase();
  return protocols.find((protocol) => protocol === name) ?? null;
}

/** Byte by byte, so that bytes beyond ASCII stay what they are: wrong. */
function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** A field in quotes for a message, cut to a readable length, without terminal control characters. */
function quoted(field: Uint8Array): string {
  const text = withoutPassword(textOf(field.subarray(0, 8 * quotedTextMax))).replaceAll(/[^ -~]/g, "?");
  return `"${text.slice(0, quotedTextMax)}${text.length > quotedTextMax ? "…" : ""}"`;
}
