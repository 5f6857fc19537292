/** Addresses in configurations: where a service listens, and URLs of others. */
import { checkedText } from "./values.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`, IPv6 in brackets; port 0 lets the system choose. Null on anything else. */
export function parseListenAddress(text: string): ListenAddress | null {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([^\s:,[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  return host === undefined || port > 65_535 ? null : { host, port };
}

/** `form` is shown where something else is given. */
export function listenAddress(form = "HOST:PORT") {
  return checkedText((text) => parseListenAddress(text) !== null, `must be ${form}`);
}

/** Parses a text that the schema has checked. */
export function listenAt(text: string): ListenAddress {
  const parsed = parseListenAddress(text);
  if (parsed === null) {
    throw new TypeError(`Cannot listen on "${text}": the schema does not check it`);
  }
  return parsed;
}

export const webAddress = checkedText(
  (text) => URL.canParse(text) && /^https?:/.test(text),
  "must be a URL that starts with http:// or https://",
);

/** The column store, as `openStore` reads it. */
export const storeAddress = checkedText(
  (text) => /^chdb:./.test(text) || (/^https?:\/\/[^?#]*$/.test(text) && URL.canParse(text)),
  "must be chdb:DIR or http(s)://HOST:PORT",
);

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Whether traffic to this address can be read and changed on the way. */
export function isOpenHttp(address: string): boolean {
  return address.startsWith("http://") && URL.canParse(address) && !isLoopback(hostOf(address));
}

/** Warnings for programs that send a key to a gateway; empty without a problem. */
export function openHttpWarnings(gatewayUrl: string): string[] {
  return isOpenHttp(gatewayUrl)
    ? [
        `gateway.url is http://: anyone on the path to ${hostOf(gatewayUrl)} can read the key and send commands`,
      ]
    : [];
}

function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$/g, "");
}
