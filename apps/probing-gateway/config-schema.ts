/** Every key of the gateway's configuration. docs/probing-gateway-configuration.md is made from this. */
import * as v from "valibot";
import { publisherKeys } from "../../lib/config/broker-keys.ts";
import { configKey } from "../../lib/config/shape.ts";
import { checkedText, filled, wholeNumber } from "../../lib/config/values.ts";

const listenAddress = checkedText((text) => splitListenAddress(text) !== null, "must be HOST:PORT");
const url = checkedText(
  (text) => URL.canParse(text) && /^https?:/.test(text),
  "must be a URL that starts with http:// or https://",
);
const gatewayId = checkedText(
  (text) => /^[A-Za-z0-9._-]{1,64}$/.test(text),
  "must be 1 to 64 letters, digits, dots, hyphens and underscores",
);
const secret = checkedText((text) => text.length >= 16, "must have at least 16 characters");

const gateway = v.object({
  address: v.optional(
    configKey(listenAddress, { meaning: "Where it listens", unit: "host:port" }),
    "0.0.0.0:8080",
  ),
  base_url: v.optional(
    configKey(url, { meaning: "How people reach it, for links", otherwise: "the request's own" }),
  ),
  state_dir: v.optional(
    configKey(v.string(), { meaning: "Folder of its own: probes that wait for the broker, keys made once" }),
    "/var/lib/vantage/probing-gateway",
  ),
  gateway_id: v.optional(
    configKey(gatewayId, {
      meaning: "Its name among gateways that share a database",
      otherwise: "made once, kept in `state_dir`",
    }),
  ),
  admin_key: v.optional(
    configKey(secret, {
      meaning: "Key of the admin API",
      otherwise: "made once, kept in `state_dir/admin.key`",
    }),
  ),
  admin_key_file: v.optional(
    configKey(v.string(), { meaning: "File that holds the key of the admin API", otherwise: "none" }),
  ),
  contact: v.optional(
    configKey(v.string(), {
      meaning: "E-mail address for people who find our packets, on the public pages",
      otherwise: "none",
    }),
  ),
  peering_gateway: v.optional(
    configKey(url, {
      meaning: "Gateway of the exchange that takes the same tokens; command lines are told of it at login",
      otherwise: "none",
    }),
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

const database = v.object({
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

const kafka = v.object({
  brokers: v.optional(
    configKey(filled, {
      meaning: "Broker: `host:port,…`, or `embedded:DIR` for the log of this machine",
      otherwise: "`embedded:` and `broker` in `state_dir`",
    }),
  ),
  ...publisherKeys,
});

const store = v.object({
  address: v.optional(
    configKey(v.string(), {
      meaning: "Column store: `chdb:DIR` of a running stack, or `http(s)://[user[:password]@]host:port`",
      otherwise: "none: no results are served",
    }),
  ),
});

const oidc = v.object({
  issuer: v.optional(
    configKey(url, {
      meaning: "Issuer of the users' tokens, exactly as in their `iss`",
      otherwise: "none: no user can log in",
    }),
  ),
  audiences: v.optional(
    v.array(configKey(v.string(), { meaning: "A token must be for one of these; none = not checked" })),
    [],
  ),
  client_id: v.optional(
    configKey(v.string(), { meaning: "Public client of the issuer that may log users in by device code" }),
    "vantage-cli",
  ),
  jwks_uri: v.optional(configKey(url, { meaning: "Where the issuer's keys are", otherwise: "by discovery" })),
});

const limits = v.object({
  probes_per_day: v.optional(
    configKey(wholeNumber(0, 2 ** 50), {
      meaning: "Probes x agents of a user and UTC day, unless an admin has set another number",
      unit: "probes",
    }),
    10_000,
  ),
  submission_probes_max: v.optional(
    configKey(wholeNumber(1, 2 ** 32), { meaning: "Probes of one submission", unit: "probes" }),
    100_000_000,
  ),
  spool_bytes_max: v.optional(
    configKey(wholeNumber(2 ** 20, 2 ** 44), {
      meaning: "Probes on disk that wait for the broker; when they are more, submissions get 503",
      unit: "bytes",
    }),
    8 * 2 ** 30,
  ),
  submissions_per_minute: v.optional(
    configKey(wholeNumber(1, 1_000_000), { meaning: "Submissions of one user", unit: "per minute" }),
    6000,
  ),
  prefix_probes_per_day: v.optional(
    configKey(wholeNumber(1, 2 ** 50), {
      meaning: "Probes x agents of all users to one destination /24 or /48, per UTC day",
      unit: "probes",
    }),
    1_000_000_000,
  ),
  retention_days: v.optional(
    configKey(wholeNumber(1, 36_500), {
      meaning: "How long results are kept, to be told to users",
      unit: "days",
    }),
    7,
  ),
});

const safety = v.object({
  block_reserved_ranges: v.optional(
    configKey(v.boolean(), { meaning: "Refuse private, documentation and other special destinations" }),
    true,
  ),
  blocklist_file: v.optional(
    configKey(v.string(), {
      meaning: "Destinations to refuse: a prefix per line, `#` comments",
      otherwise: "none",
    }),
  ),
  allowlist_file: v.optional(
    configKey(v.string(), { meaning: "When given, only these destinations are probed", otherwise: "none" }),
  ),
});

export const gatewayConfigSchema = v.object({
  gateway: v.optional(gateway, {}),
  database: v.optional(database, {}),
  kafka: v.optional(kafka, {}),
  store: v.optional(store, {}),
  oidc: v.optional(oidc, {}),
  limits: v.optional(limits, {}),
  safety: v.optional(safety, {}),
});

/** `HOST:PORT`, IPv6 in brackets; null when it is none. */
export function splitListenAddress(text: string): { readonly host: string; readonly port: number } | null {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([^\s:,[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  return host === undefined || port > 65_535 ? null : { host, port };
}
