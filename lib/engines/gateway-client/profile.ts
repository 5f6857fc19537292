/** One stored login: gateway, issuer and tokens. */
import * as v from "valibot";
import { profileNameCharsMax } from "./limits.ts";

const tokensSchema = v.object({
  access_token: v.string(),
  /** Null = the issuer gives none: when the access token ends, so does the login. */
  refresh_token: v.nullable(v.string()),
  /** Unix seconds. */
  expires_at: v.number(),
});

export const profileSchema = v.object({
  gateway: v.string(),
  /** Address of the peering gateway, another service that accepts the same tokens. Null = not known. */
  peering_gateway: v.nullable(v.string()),
  issuer: v.string(),
  client_id: v.string(),
  audience: v.nullable(v.string()),
  scopes: v.array(v.string()),
  /** Null = logged out. */
  tokens: v.nullable(tokensSchema),
});

export type Profile = v.InferOutput<typeof profileSchema>;
export type Tokens = v.InferOutput<typeof tokensSchema>;

/** Whether a profile may have this name, which is a file name too. */
export function isProfileName(name: string): boolean {
  return name.length <= profileNameCharsMax && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name);
}

/** `https://gateway.example:8443/x` is `gateway.example-8443-x`. */
export function profileNameOf(gateway: string): string {
  const { host, pathname } = new URL(gateway);
  const name = `${host}${pathname}`.replaceAll(/[^A-Za-z0-9.]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, "");
  return name.slice(0, profileNameCharsMax);
}

/**
 * `HTTPS://Gateway.Example/` is `https://gateway.example`; null for anything but a web address, and for one with a
 * query.
 */
export function gatewayAddressOf(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    return null;
  }
  return url.username === "" && url.password === "" ? url.href.replace(/\/+$/, "") : null;
}

/** Whether traffic to this address can be read in transit: no TLS, and not this machine. */
export function isReadableOnTheWay(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
