/** Keys that the configurations of both gateways have: where they listen, whom they let in, where their data is. */
import * as v from "valibot";
import type { Contradiction } from "./load-config.ts";
import { configKey } from "./shape.ts";
import { checkedText, wholeNumber } from "./values.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`, IPv6 in brackets; null when it is none. */
export function parseListenAddress(text: string): ListenAddress | null {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([^\s:,[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  return host === undefined || port > 65_535 ? null : { host, port };
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Whether what is asked there, or sent, can be read and changed on the way. */
function isOpenHttp(address: string): boolean {
  return address.startsWith("http://") && URL.canParse(address) && !isLoopback(hostOf(address));
}

function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$/g, "");
}

/** For the log of whoever calls a gateway with a key; empty when there is nothing to warn of. */
export function openHttpWarnings(gatewayUrl: string): string[] {
  return isOpenHttp(gatewayUrl)
    ? [
        `gateway.url is http://: whoever is on the path to ${hostOf(gatewayUrl)} reads the key, and can give orders`,
      ]
    : [];
}

/** What is allowed, and should not stay so: for the log of a service that starts, and for `--check`. */
export function gatewayWarnings({ oidc, bypassAuthentication }: VerifierNotes): string[] {
  const isUnchecked = !bypassAuthentication && oidc !== null && oidc.audiences.length === 0;
  return isUnchecked
    ? ["oidc.audiences is empty: tokens that the issuer has made for any other service are taken too"]
    : [];
}

interface VerifierNotes {
  readonly bypassAuthentication: boolean;
  readonly oidc: { readonly audiences: readonly string[] } | null;
}

export const webAddress = checkedText(
  (text) => URL.canParse(text) && /^https?:/.test(text),
  "must be a URL that starts with http:// or https://",
);

const adminKey = checkedText((text) => text.length >= 16, "must have at least 16 characters");
const listenAddress = checkedText((text) => parseListenAddress(text) !== null, "must be HOST:PORT");

/** `folder`: default of the state folder. */
export function gatewaySection(folder: string) {
  return v.object({
    address: v.optional(
      configKey(listenAddress, { meaning: "Where it listens", unit: "host:port" }),
      "0.0.0.0:8080",
    ),
    state_dir: v.optional(
      configKey(v.string(), { meaning: "Folder of its own: the embedded database, keys made once" }),
      folder,
    ),
    admin_key: v.optional(
      configKey(adminKey, {
        meaning: "Key of the admin API",
        otherwise: "made once, kept in `state_dir/admin.key`",
      }),
    ),
    admin_key_file: v.optional(
      configKey(v.string(), { meaning: "File that holds the key of the admin API", otherwise: "none" }),
    ),
    cors_origins: v.optional(
      v.array(configKey(v.string(), { meaning: "Web origins whose pages may call the API; `*` = all" })),
      [],
    ),
    access_log: v.optional(configKey(v.boolean(), { meaning: "Log a line for each request" }), false),
    bypass_authentication: v.optional(
      configKey(v.boolean(), {
        meaning: "Every request is the user `test-user-id`: for tests, and refused unless bound to loopback",
      }),
      false,
    ),
  });
}

export const databaseSection = v.object({
  address: v.optional(
    configKey(v.string(), {
      meaning: "`pglite:DIR`, embedded, for one gateway; or `postgres://…`",
      otherwise: "`pglite:` and `database` in `state_dir`",
    }),
  ),
  connections_max: v.optional(
    configKey(wholeNumber(1, 1000), { meaning: "Connections to PostgreSQL", unit: "connections" }),
    16,
  ),
});

export const oidcSection = v.object({
  issuer: v.optional(
    configKey(webAddress, {
      meaning: "Issuer of the users' tokens, exactly as in their `iss`",
      otherwise: "none: no user can log in",
    }),
  ),
  audiences: v.optional(
    v.array(configKey(v.string(), { meaning: "A token must be for one of these; none = not checked" })),
    [],
  ),
  jwks_uri: v.optional(
    configKey(webAddress, { meaning: "Where the issuer's keys are", otherwise: "by discovery" }),
  ),
  allow_http: v.optional(
    configKey(v.boolean(), {
      meaning:
        "Take the issuer's keys by `http://` from elsewhere than loopback: whoever is on the path can be any user",
    }),
    false,
  ),
});

type Gateway = v.InferOutput<ReturnType<typeof gatewaySection>>;
type Database = v.InferOutput<typeof databaseSection>;
type Oidc = v.InferOutput<typeof oidcSection>;

interface Given {
  readonly gateway: Gateway;
  readonly database: Database;
  readonly oidc: Oidc;
}

export function gatewayContradictions({ gateway, database, oidc }: Given): Contradiction[] {
  const problems: Contradiction[] = [];
  if (!/^(pglite:.|postgres(ql)?:\/\/)/.test(database.address ?? "pglite:default")) {
    // Without the value: it may hold a password.
    const reason = "must be pglite:DIR or postgres://USER@HOST/NAME";
    problems.push({ path: ["database", "address"], reason });
  }
  const host = parseListenAddress(gateway.address)?.host ?? "";
  if (gateway.bypass_authentication && !isLoopback(host)) {
    const reason = `is for loopback only, not for ${host}: anybody could act as any user`;
    problems.push({ path: ["gateway", "bypass_authentication"], reason });
  }
  if (gateway.admin_key !== undefined && gateway.admin_key_file !== undefined) {
    problems.push({ path: ["gateway", "admin_key_file"], reason: "cannot be given beside admin_key" });
  }
  for (const key of ["issuer", "jwks_uri"] as const) {
    if (!oidc.allow_http && isOpenHttp(oidc[key] ?? "")) {
      const reason =
        "must be https:// unless on loopback, or allow_http is true: whoever is on the path makes tokens";
      problems.push({ path: ["oidc", key], reason });
    }
  }
  if (oidc.issuer === undefined && (oidc.jwks_uri !== undefined || oidc.audiences.length > 0)) {
    problems.push({ path: ["oidc", "issuer"], reason: "is missing: tokens are checked against it" });
  }
  return problems;
}
