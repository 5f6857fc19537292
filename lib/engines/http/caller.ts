/** Identifies a caller without a credential: by address, and by the name of its program. */
import type { Context } from "hono";
import { formatAddress, isIpv4, parseAddress } from "../../net/ip/address.ts";
import { formatPrefix, prefixContains, prefixOf } from "../../net/ip/prefix.ts";
import type { HttpEnv } from "./http-env.ts";
import type { Connection } from "./serve.ts";

/** Proxies in a row that are examined: a header may name thousands. */
const proxiesMax = 8;

/**
 * The caller's address in its usual spelling: the connection's, or, where that is a trusted proxy, the last address in
 * `X-Forwarded-For` that is not a trusted proxy. Null without a connection.
 */
export function callerAddress(c: Context<HttpEnv>): string | null {
  const { remoteAddress = null } = (c.env ?? {}) as Partial<Connection>;
  const trusted = c.get("proxies") ?? [];
  const before = (c.req.raw.headers.get("x-forwarded-for") ?? "").split(",").slice(-proxiesMax);
  let caller = remoteAddress === null ? null : parseAddress(remoteAddress);
  while (caller !== null && before.length > 0) {
    const proxy = caller;
    const next = parseAddress((before.pop() ?? "").trim());
    if (next === null || !trusted.some((network) => prefixContains(network, proxy))) {
      break;
    }
    caller = next;
  }
  return caller === null ? null : formatAddress(caller);
}

/** Characters of a tool's name: longer ones are cut. */
const toolCharsMax = 40;

/**
 * The first product of a User-Agent, without its version, in lower case (RFC 9110, section 10.1.5): `vantage` of
 * `vantage/1.2 (x)`. Other characters than letters, digits, `.`, `_` and `-` end it; `none` when nothing is left.
 */
export function toolOf(userAgent: string | null): string {
  const [name = ""] = /^[\w.-]+/.exec(userAgent ?? "") ?? [];
  return name.slice(0, toolCharsMax).toLowerCase() || "none";
}

/** Our own program includes its command: `vantage/1.2 (trace)`. */
const ownCommand = /^vantage\/[\w.-]+ \(([a-z][a-z -]{0,38}[a-z])\)/;

/** The tool, with its command where the tool is ours: `vantage trace`. */
export function programOf(userAgent: string | null): string {
  const [, command] = ownCommand.exec(userAgent ?? "") ?? [];
  return command === undefined ? toolOf(userAgent) : `vantage ${command}`;
}

/** Prefix lengths of networks that one stranger may have whole. */
const strangerBits = { ipv4: 24, ipv6: 64 } as const;

/** The network of the caller's address, for fair shares among callers without a login; null without a connection. */
export function callerNetwork(c: Context<HttpEnv>): string | null {
  const text = callerAddress(c);
  const address = text === null ? null : parseAddress(text);
  return address === null
    ? null
    : formatPrefix(prefixOf(address, isIpv4(address) ? strangerBits.ipv4 : strangerBits.ipv6));
}
