/** Every key of the gateway's configuration. docs/probing-gateway-configuration.md is made from this. */
import * as v from "valibot";
import { publisherKeys } from "../../lib/config/broker-keys.ts";
import { databaseSection, gatewaySection, oidcSection, webAddress } from "../../lib/config/gateway-keys.ts";
import { configKey } from "../../lib/config/shape.ts";
import { checkedText, filled, wholeNumber } from "../../lib/config/values.ts";
import { probingRateMax } from "../../lib/probing/limits.ts";

const gatewayId = checkedText(
  (text) => /^[A-Za-z0-9._-]{1,64}$/.test(text),
  "must be 1 to 64 letters, digits, dots, hyphens and underscores",
);
const stateFolder = "/var/lib/vantage/probing-gateway";

const gateway = v.object({
  ...gatewaySection(stateFolder).entries,
  state_dir: v.optional(
    configKey(v.string(), { meaning: "Folder of its own: probes that wait for the broker, keys made once" }),
    stateFolder,
  ),
  base_url: v.optional(
    configKey(webAddress, { meaning: "How people reach it, for links", otherwise: "the request's own" }),
  ),
  gateway_id: v.optional(
    configKey(gatewayId, {
      meaning: "Its name among gateways that share a database",
      otherwise: "made once, kept in `state_dir`",
    }),
  ),
  contact: v.optional(
    configKey(v.string(), {
      meaning: "E-mail address for people who find our packets, on the public pages",
      otherwise: "none",
    }),
  ),
  peering_gateway: v.optional(
    configKey(webAddress, {
      meaning: "Gateway of the exchange that takes the same tokens; command lines are told of it at login",
      otherwise: "none",
    }),
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
  ...oidcSection.entries,
  client_id: v.optional(
    configKey(v.string(), { meaning: "Public client of the issuer that may log users in by device code" }),
    "vantage-cli",
  ),
});

const limits = v.object({
  probes_per_day: v.optional(
    configKey(wholeNumber(0, 2 ** 50), {
      meaning: "Probes x agents of a user and UTC day, unless an admin has set another number",
      unit: "probes",
    }),
    10_000,
  ),
  submission_bytes_per_day: v.optional(
    configKey(wholeNumber(1024, 2 ** 50), {
      meaning:
        "Bodies of a user's accepted submissions per UTC day, unpacked; at least 100 for each probe of the quota",
      unit: "bytes",
    }),
    64 * 2 ** 20,
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
    10_000_000,
  ),
  user_address_rate: v.optional(
    configKey(wholeNumber(0, probingRateMax), {
      meaning: "To one address by one user, by all agents together; TCP a tenth of it; `0` = without limit",
      unit: "packets/s",
    }),
    50,
  ),
  address_rate: v.optional(
    configKey(wholeNumber(0, probingRateMax), {
      meaning: "To one address by all users likewise",
      unit: "packets/s",
    }),
    200,
  ),
  network_rate: v.optional(
    configKey(wholeNumber(0, probingRateMax), {
      meaning: "To one /24 or /48 by all users likewise",
      unit: "packets/s",
    }),
    1000,
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
  database: v.optional(databaseSection, {}),
  kafka: v.optional(kafka, {}),
  store: v.optional(store, {}),
  oidc: v.optional(oidc, {}),
  limits: v.optional(limits, {}),
  safety: v.optional(safety, {}),
});
