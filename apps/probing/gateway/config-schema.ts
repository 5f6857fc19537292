/** Every key of the gateway's configuration. docs/reference/probing-gateway-configuration.md is made from this. */
import * as v from "valibot";
import { isNameServer } from "../../../lib/answers/enrich/names.ts";
import { storeAddress, webAddress } from "../../../lib/engines/config/addresses.ts";
import { brokers, publisherKeys } from "../../../lib/engines/config/broker-keys.ts";
import { defaultPorts } from "../../../lib/engines/config/default-ports.ts";
import { destinationRates } from "../../../lib/engines/config/destination-rates.ts";
import { configKey, keyWithDefault, numberKey, optionalKey } from "../../../lib/engines/config/shape.ts";
import { checkedText, filled } from "../../../lib/engines/config/values.ts";
import { databaseSection, gatewaySection, oidcSection } from "../../../lib/engines/service/gateway-config.ts";
import { probingRateMax } from "../../../lib/measuring/probing/limits.ts";

const gatewayId = checkedText(
  (text) => /^[A-Za-z0-9._-]{1,64}$/.test(text),
  "must be 1 to 64 letters, digits, dots, hyphens and underscores",
);
const stateFolder = "/var/lib/vantage/probing-gateway";

const gateway = v.object({
  ...gatewaySection(stateFolder, defaultPorts.probingGateway).entries,
  state_dir: keyWithDefault(v.string(), stateFolder, {
    meaning: "Folder of its own: probes that wait for the broker, keys made once",
  }),
  base_url: optionalKey(webAddress, {
    meaning: "How people reach it, for links",
    otherwise: "the request's own",
  }),
  gateway_id: optionalKey(gatewayId, {
    meaning: "Its name among gateways that share a database",
    otherwise: "made once, kept in `state_dir`",
  }),
  contact: optionalKey(v.string(), {
    meaning: "E-mail address for people who find our packets, on the public pages",
    otherwise: "none",
  }),
  secret_key: optionalKey(
    checkedText((text) => text.length >= 32, "must have at least 32 characters"),
    {
      meaning: "Encrypts the grants of running experiments; the same at all gateways that share a database",
      otherwise: "made once, kept in `state_dir`",
    },
  ),
  peering_gateway: optionalKey(webAddress, {
    meaning: "Gateway of the exchange that takes the same tokens; command lines learn it at login",
    otherwise: "none",
  }),
});

const kafka = v.object({
  brokers: optionalKey(brokers, {
    meaning: "Broker: `host:port,…`, or `embedded:DIR` for the log of this machine",
    otherwise: "`embedded:` and `broker` in `state_dir`",
  }),
  ...publisherKeys,
});

const store = v.object({
  address: optionalKey(storeAddress, {
    meaning: "Column store: `chdb:DIR` of a running stack, or `http(s)://[user[:password]@]host:port`",
    otherwise: "none: no results are served",
  }),
});

const sql = v.object({
  enabled: keyWithDefault(v.boolean(), true, { meaning: "Users query results in SQL at `/api/sql`" }),
  public_read: keyWithDefault(v.boolean(), false, {
    meaning: "Anyone queries public results in SQL, as user `read` with password `read`",
  }),
  address: optionalKey(storeAddress, {
    meaning: "Column store with the account of readers, `https://vantage_sql:PASSWORD@host:port`",
    otherwise: "that of a `chdb:` store; none for a server: no SQL",
  }),
  seconds_per_day: numberKey([1, 86_400], 3600, {
    meaning: "Time that the column store works for the queries of one user, per UTC day",
    unit: "s",
  }),
});

const context = v.object({
  dir: optionalKey(filled, {
    meaning: "Folder of sets of `vantage context`: results with AS, exchange, place (`?with=`)",
    otherwise: "none: `with=` is refused",
  }),
  names: keyWithDefault(v.boolean(), false, {
    meaning: "Look names up for `?with=name`; the queries reveal to resolvers what was measured",
  }),
  resolvers: v.optional(
    v.array(
      configKey(
        checkedText(
          isNameServer,
          "must be the address of a name server, as 192.0.2.53 or [2001:db8::53]:5353",
        ),
        { meaning: "Name servers for names; none = the system's" },
      ),
    ),
    [],
  ),
});

const alerts = v.object({
  allowed_hosts: v.optional(
    v.array(
      configKey(
        checkedText((text) => /^[A-Za-z0-9.:-]{1,253}$/.test(text), "must be a name or an address"),
        { meaning: "Hosts of webhooks that may have private addresses, and be spoken to without TLS" },
      ),
    ),
    [],
  ),
  email_domains: v.optional(
    v.array(
      configKey(
        checkedText((text) => /^[A-Za-z0-9.-]{1,253}$/.test(text), "must be a domain"),
        { meaning: "Domains that e-mails about alerts may go to; none = no e-mail" },
      ),
    ),
    [],
  ),
  smtp_server: optionalKey(
    checkedText((text) => /^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$/.test(text), "must be HOST[:PORT]"),
    {
      meaning: "Mail server that takes e-mails about alerts, port 587 when not given",
      otherwise: "none: no e-mail",
    },
  ),
  smtp_from: optionalKey(
    checkedText((text) => /^[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+$/.test(text), "must be an e-mail address"),
    { meaning: "Sender of these e-mails", otherwise: "none" },
  ),
  smtp_encryption: keyWithDefault(
    v.picklist(["starttls", "tls", "none"], "must be starttls, tls or none"),
    "starttls",
    { meaning: "`starttls`, `tls` from the start (port 465), or `none`" },
  ),
  smtp_user: optionalKey(filled, { meaning: "Login at the mail server", otherwise: "none" }),
  smtp_password: optionalKey(filled, { meaning: "Its password", otherwise: "none" }),
});

const oidc = v.object({
  ...oidcSection.entries,
  client_id: keyWithDefault(v.string(), "vantage-cli", {
    meaning: "Public client of the issuer that may log users in by device code",
  }),
});

const consoleSection = v.object({
  enabled: keyWithDefault(v.boolean(), true, { meaning: "Serve the console, pages for people at `/`" }),
  client_id: keyWithDefault(v.string(), "vantage-console", {
    meaning:
      "Client of the issuer that logs people in to the console, by authorisation code with PKCE; it may lead back " +
      "to `/console/callback` of `gateway.base_url`",
  }),
  client_secret: optionalKey(filled, {
    meaning: "Secret of that client",
    otherwise: "none: a public client",
  }),
  exchanges: keyWithDefault(v.array(webAddress), [], {
    meaning:
      "Policy generators of exchange servers, `http://HOST:PORT`: the console shows their sessions to their users, " +
      "and to operators. This gateway's address must be in their `generator.operator_networks`",
  }),
  collectors: keyWithDefault(v.array(webAddress), [], {
    meaning: "Collectors (`vantage collector`), `http://HOST:PORT`: the console looks up their routes",
  }),
  public_routes: keyWithDefault(v.boolean(), false, {
    meaning: "Routes can be looked up without a login, too",
  }),
});

const limits = v.object({
  probes_per_day: numberKey([0, 2 ** 50], 10_000, {
    meaning: "Probes x agents of a user and UTC day, unless an admin has set another limit",
    unit: "probes",
  }),
  submission_bytes_per_day: numberKey([1024, 2 ** 50], 64 * 2 ** 20, {
    meaning:
      "Bodies of a user's accepted submissions per UTC day, unpacked; at least 100 for each probe of the quota",
    unit: "bytes",
  }),
  submission_probes_max: numberKey([1, 2 ** 32], 100_000_000, {
    meaning: "Probes of one submission",
    unit: "probes",
  }),
  spool_bytes_max: numberKey([2 ** 20, 2 ** 44], 8 * 2 ** 30, {
    meaning: "Probes on disk that wait for the broker; beyond it submissions get 503",
    unit: "bytes",
  }),
  submissions_per_minute: numberKey([1, 1_000_000], 6000, {
    meaning: "Submissions of one user",
    unit: "per minute",
  }),
  campaigns_per_user: numberKey([0, 10_000], 20, {
    meaning: "Campaigns that a user may have at a time; `0` = no campaigns",
    unit: "campaigns",
  }),
  stored_bytes_per_user: numberKey([2 ** 20, 2 ** 44], 2 ** 29, {
    meaning: "Campaigns, lists, journals, alerts and packets that the database keeps for one user",
    unit: "bytes",
  }),
  prefix_probes_per_day: numberKey([1, 2 ** 50], 10_000_000, {
    meaning: "Probes x agents of all users to one destination /24 or /48, per UTC day",
    unit: "probes",
  }),
  user_address_rate: numberKey([0, probingRateMax], 50, {
    meaning: "To one address by one user, by all agents together; TCP a tenth of it; `0` = without limit",
    unit: "packets/s",
  }),
  ...destinationRates(
    probingRateMax,
    "To one address by all users likewise",
    "To one /24 or /48 by all users likewise",
  ),
  public_requests_per_minute: numberKey([1, 1_000_000], 120, {
    meaning: "Requests without a login for shared results, of one IPv4 address or IPv6 /64",
    unit: "per minute",
  }),
  public_requests_per_minute_all: numberKey([1, 10_000_000], 2400, {
    meaning: "The same for all together",
    unit: "per minute",
  }),
  retention_days: numberKey([1, 36_500], 7, {
    meaning: "How long results are kept, shown to users",
    unit: "days",
  }),
});

const safety = v.object({
  block_reserved_ranges: keyWithDefault(v.boolean(), true, {
    meaning: "Refuse private, documentation and other special destinations",
  }),
  blocklist_file: optionalKey(v.string(), {
    meaning: "Destinations to refuse: a prefix per line, `#` comments",
    otherwise: "none",
  }),
  allowlist_file: optionalKey(v.string(), {
    meaning: "When given, only these destinations are probed",
    otherwise: "none",
  }),
});

export const gatewayConfigSchema = v.object({
  gateway: v.optional(gateway, {}),
  database: v.optional(databaseSection, {}),
  kafka: v.optional(kafka, {}),
  store: v.optional(store, {}),
  sql: v.optional(sql, {}),
  context: v.optional(context, {}),
  alerts: v.optional(alerts, {}),
  oidc: v.optional(oidc, {}),
  console: v.optional(consoleSection, {}),
  limits: v.optional(limits, {}),
  safety: v.optional(safety, {}),
});
