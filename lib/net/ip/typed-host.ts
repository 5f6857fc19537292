/**
 * Addresses and host names as people type them: the one place where commands and services read them.
 *
 * Accepted beside the usual spelling: white space around, upper case, brackets, IPv4 mapped into IPv6, a zone
 * Also accepted: surrounding white space, upper case, brackets, IPv4 mapped into IPv6, a zone (`fe80::1%eth0`), names
 * in any script (punycode, RFC 5891). For a URL, a port, a prefix or half an address, `reason` states what to write
 * instead; it continues a sentence that names the text, and repeats none of it but an address or a name.
 */
import ipaddr from "ipaddr.js";
import { type Address, formatAddress, mapped, parseAddress } from "./address.ts";

export type TypedHost =
  | { readonly kind: "address"; readonly address: Address; readonly zone: string | null }
  /** ASCII, in lower case. */
  | { readonly kind: "name"; readonly name: string }
  /** `instead`: the address or name to write, also part of the reason. */
  | { readonly kind: "bad"; readonly reason: string; readonly port?: number; readonly instead?: string };

/** Longer than any name (253), with a zone or a port. */
const typedCharsMax = 300;
const ipv4Form = "write four numbers from 0 to 255 without leading zeros, as 192.0.2.1";
const outerSpace = /^[\s\u200b-\u200d\u2060\ufeff]+|[\s\u200b-\u200d\u2060\ufeff]+$/g;
const otherDots = /[\u3002\uff0e\uff61]/g;
/** Letters, digits, hyphens and underscores between dots (RFC 1123 s.2.1, and names as they are). */
const hostName = /^(?=.{1,253}\.?$)[a-z0-9_][a-z0-9_-]{0,62}(\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/;
/** As of Linux: 15 characters. */
const zoneName = /^[\w.@-]{1,15}$/;

export function readHost(text: string): TypedHost {
  const plain = parseAddress(text);
  if (plain !== null) {
    return { kind: "address", address: plain, zone: null };
  }
  const typed = tidied(text);
  if (typed === "") {
    return bad("is empty: write an address or a host name");
  }
  if (typed.length > typedCharsMax) {
    return bad("is too long for an address or a host name");
  }
  return urlHint(typed) ?? separatorHint(typed) ?? addressIn(typed) ?? partsHint(typed) ?? nameIn(typed);
}

/** Without surrounding white space, full-width characters as ASCII. */
export function tidied(text: string): string {
  return text
    .slice(0, 4 * typedCharsMax)
    .replace(outerSpace, "")
    .replace(otherDots, ".")
    .normalize("NFKC");
}

function bad(reason: string, port?: string, instead: string | null = null): TypedHost {
  return {
    kind: "bad",
    reason,
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(instead === null ? {} : { instead }),
  };
}

/** What to write instead; null where that would not be an address or a name either. */
function shownHost(text: string): string | null {
  const host = readHost(text);
  return host.kind === "bad" ? null : host.kind === "name" ? host.name : formatAddress(host.address);
}

function urlHint(typed: string): TypedHost | null {
  const [, authority] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(typed) ?? [];
  if (authority === undefined) {
    return null;
  }
  const [, host = "", port] = /^(.*?)(?::(\d{1,5}))?$/.exec(authority.replace(/^.*@/, "")) ?? [];
  const shown = shownHost(host);
  return bad(
    shown === null ? "is a URL: write its host alone" : `is a URL: write its host, ${shown}`,
    port,
    shown,
  );
}

function separatorHint(typed: string): TypedHost | null {
  return /[\s,;]/.test(typed) ? bad("is more than one word: write one address or host name at a time") : null;
}

function addressIn(typed: string): TypedHost | null {
  const [, inner = typed] = /^\[([^[\]]*)\]$/.exec(typed) ?? [];
  const [, text = inner, zone = null] = /^([^%]*)%(?:25)?(.+)$/.exec(inner) ?? [];
  const address = parseAddress(text) ?? mappedAddress(text);
  if (address === null || (zone !== null && (!text.includes(":") || !zoneName.test(zone)))) {
    return null;
  }
  return { kind: "address", address, zone };
}

/** The IPv4 address in `::ffff:192.0.2.1` or `::ffff:c000:201`. */
function mappedAddress(text: string): Address | null {
  const address = ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : null;
  return address?.isIPv4MappedAddress() ? mapped(address.toIPv4Address().toByteArray()) : null;
}

function partsHint(typed: string): TypedHost | null {
  const [, user, behind = ""] = /^([^@/]+)@(.+)$/.exec(typed) ?? [];
  if (user !== undefined) {
    return instead("names a user", behind);
  }
  const [, before = "", path] = /^([^/]+)\/(.*)$/.exec(typed) ?? [];
  if (path !== undefined) {
    return /^[\d.]+$/.test(path) && readHost(before).kind === "address"
      ? instead("is a prefix", before, "an address of it, as ")
      : instead("has a path", before);
  }
  const [, bracketed, word, port] = /^(?:\[([^\]]*)\]|([^:]+)):(\d{1,5})$/.exec(typed) ?? [];
  if (port !== undefined) {
    return portHint(bracketed ?? word ?? "", port);
  }
  const [, named = "", service] = /^([^:]*[^:.\d][^:]*):([a-z][a-z-]*)$/.exec(typed) ?? [];
  if (service !== undefined && readHost(named).kind === "name" && named.includes(".")) {
    return bad(`has a port: write ${shownHost(named)}, and give the port by itself, as a number`);
  }
  if (/[:[\]]/.test(typed)) {
    return bad("is not an IP address: write it as 2001:db8::1");
  }
  return null;
}

function instead(what: string, host: string, as = ""): TypedHost {
  const shown = shownHost(host);
  return bad(
    shown === null ? `${what}: write an address or a host name` : `${what}: write ${as}${shown}`,
    undefined,
    shown,
  );
}

function portHint(host: string, port: string): TypedHost {
  const shown = shownHost(host);
  return shown === null
    ? bad("is not an address or a host name", port)
    : bad(`has a port: write ${shown}, and give port ${Number(port)} by itself`, port, shown);
}

function nameIn(typed: string): TypedHost {
  const name = asciiName(typed).toLowerCase();
  const withoutDot = parseAddress(name.replace(/\.$/, ""));
  if (withoutDot !== null) {
    return name.endsWith(".")
      ? bad(`has a dot at its end: write ${formatAddress(withoutDot)}`)
      : { kind: "address", address: withoutDot, zone: null };
  }
  if (/(^|\.)(\d+|0x[\da-f]*)\.?$/.test(name)) {
    return bad(`is not an IP address: ${ipv4Form}`);
  }
  return hostName.test(name) ? { kind: "name", name } : bad("is not an address or a host name");
}

/** Empty for a name without an ASCII form. */
function asciiName(typed: string): string {
  const url = `http://${typed}`;
  const isPlain = /^[\u0021-\u007e]*$/.test(typed);
  return isPlain || /[%?#\\\p{Cc}]/u.test(typed) || !URL.canParse(url)
    ? isPlain
      ? typed
      : ""
    : new URL(url).hostname;
}
