/** Addresses and prefixes as people type them: see typed-host.ts. `reason` continues a sentence that names the text. */
import { type Address, familyOf, formatAddress } from "./address.ts";
import { formatPrefix, type Prefix, parsePrefix, prefixOf } from "./prefix.ts";
import { readHost, tidied } from "./typed-host.ts";

type Typed<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

const prefixForm = "write it as 192.0.2.0/24 or 2001:db8::/48";

export function readAddress(text: string): Typed<Address> {
  const host = readHost(text);
  if (host.kind === "name") {
    return bad("is not an IP address, and names are not looked up here");
  }
  if (host.kind === "bad") {
    return bad(host.reason);
  }
  return host.zone === null
    ? { ok: true, value: host.address }
    : bad(`has a zone, which only one machine knows: write ${formatAddress(host.address)}`);
}

/** A bare address is a host prefix. Refuses host bits: address or length may be the mistake. */
export function readPrefix(text: string): Typed<Prefix> {
  const plain = parsePrefix(text);
  if (plain !== null) {
    return { ok: true, value: plain };
  }
  const [, before, length = ""] = /^([^/]+)\/([\d.]+)$/.exec(tidied(text)) ?? [];
  if (before === undefined) {
    const read = readAddress(text);
    return read.ok ? { ok: true, value: hostPrefix(read.value) } : read;
  }
  const base = readAddress(before);
  return base.ok ? withLength(base.value, before, length) : bad(`is not a prefix: ${prefixForm}`);
}

/** A reason that continues a sentence about what was typed: `is not a target: it has a port: write …`. */
export function because(claim: string, reason: string): string {
  const advice = reason.replace(/^is not [^:,]*(: |, and )?/, "");
  const isSame = reason.startsWith("is not ");
  return advice === "" ? claim : `${claim}: ${isSame ? advice : `it ${reason}`}`;
}

function withLength(base: Address, written: string, text: string): Typed<Prefix> {
  const bits = familyOf(base) === 4 ? 32 : 128;
  const isMapped = bits === 32 && written.includes(":");
  const length = text.includes(".") ? maskLength(text) : Number(text) - (isMapped ? 96 : 0);
  if (!(length >= 0 && length <= bits)) {
    return bad(`is not a prefix, its length being from 0 to ${bits}: ${prefixForm}`);
  }
  const prefix = prefixOf(base, length);
  return prefix.base.every((byte, i) => byte === base[i])
    ? { ok: true, value: prefix }
    : bad(`has bits behind its length: write ${formatPrefix(prefix)}, or ${formatAddress(base)} alone`);
}

/** Leading one bits of a netmask: 24 for `255.255.255.0`; NaN when they are not contiguous. */
function maskLength(text: string): number {
  const mask = readAddress(text);
  const bits = mask.ok
    ? [...mask.value.subarray(12)].map((byte) => byte.toString(2).padStart(8, "0")).join("")
    : "";
  return /^1*0*$/.test(bits) && bits.length === 32 ? bits.replaceAll("0", "").length : Number.NaN;
}

function hostPrefix(address: Address): Prefix {
  return prefixOf(address, familyOf(address) === 4 ? 32 : 128);
}

function bad(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
