/** The settings file of an exchange server: one YAML file, from which the daemons' configurations are rendered. */
import * as v from "valibot";
import { wholeNumber } from "../../../lib/base/api/fields.ts";
import { defaultPorts } from "../../../lib/engines/config/default-ports.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import { type Contradiction, loadConfig } from "../../../lib/engines/config/load-config.ts";
import {
  configKey,
  keyWithDefault,
  numberKey,
  optionalKey,
  section,
} from "../../../lib/engines/config/shape.ts";
import { checkedText, filled } from "../../../lib/engines/config/values.ts";
import { parseAddress } from "../../../lib/net/ip/address.ts";
import { parsePrefix, prefixContains } from "../../../lib/net/ip/prefix.ts";
import { birdVersionOf, knowsAspa } from "../../../lib/peering/bird/version.ts";
import { asnRangeOf } from "./asn-range.ts";
import { bogonAsns, bogonPrefixes } from "./bogons.ts";
import {
  errorWaitSecDefault,
  errorWaitSecMax,
  holdTimeSecDefault,
  holdTimeSecMax,
  holdTimeSecMin,
  neighborRoutesDefault,
  neighborRoutesMax,
  userRoutesDefault,
  userRoutesMax,
} from "./limits.ts";

const isV6Prefix = (text: string) => parsePrefix(text)?.family === 6 && text.includes("/");
const prefix = checkedText(isV6Prefix, "must be an IPv6 prefix without host bits, as 2001:db8::/48");
const address = checkedText((text) => parseAddress(text) !== null, "must be an IP address");
const v4Address = checkedText(
  (text) => /^[\d.]+$/.test(text) && parseAddress(text) !== null,
  "must be an IPv4 address",
);
const asn = wholeNumber(1, 4_294_967_294);
/** Goes between quotes in BIRD's configuration, where nothing can be escaped. */
const plain = checkedText((text) => /^[!#-~]{1,255}$/.test(text), 'must be printable, without spaces and "');
const hostName = checkedText((text) => /^[a-zA-Z0-9.:-]{1,253}$/.test(text), "must be an address or a name");
const tag = checkedText(
  (text) => /^tag:[a-z][a-z0-9-]{0,60}$/.test(text),
  "must be tag: and a word of a-z, 0-9 and -",
);
const word = checkedText((text) => /^[a-z][a-z0-9_]{0,30}$/.test(text), "must be a word of a-z, 0-9 and _");

const neighbor = v.object({
  name: configKey(word, { meaning: "Name of the session, behind its role" }),
  role: configKey(v.picklist(["upstream", "peer", "route_server"]), { meaning: "What it is to us" }),
  asn: configKey(asn, { meaning: "Its AS" }),
  address: configKey(address, { meaning: "Its address" }),
  local_address: configKey(address, { meaning: "Ours on that link" }),
  password: optionalKey(plain, { meaning: "TCP MD5 password", otherwise: "none" }),
  ttl_security: keyWithDefault(v.boolean(), false, { meaning: "Take packets of the link only (RFC 5082)" }),
  blackhole: keyWithDefault(v.boolean(), false, {
    meaning:
      "It gets the single addresses that users have discarded, with BLACKHOLE and NO_EXPORT (RFC 7999)",
  }),
  roles: keyWithDefault(v.picklist(["on", "strict", "off"]), "on", {
    meaning: "Send our role, and drop leaks (RFC 9234); strict: refuse a neighbour that sends no role",
  }),
  routes_max: numberKey([1, neighborRoutesMax], neighborRoutesDefault, {
    meaning: "Limit of routes",
    unit: "routes",
  }),
});

export const exchangeSchema = v.object({
  exchange: v.object({
    asn: configKey(asn, { meaning: "AS of the platform" }),
    router_id: configKey(v4Address, { meaning: "Router id, in the form of an IPv4 address" }),
    tunnel_address: configKey(v4Address, { meaning: "Address of this server in the VPN" }),
    tunnel_device: keyWithDefault(plain, "tailscale0", { meaning: "Network device of the VPN" }),
    policy_file: keyWithDefault(plain, "/etc/bird/peering_generated.conf", {
      meaning: "What the policy generator writes",
    }),
    bird_version: keyWithDefault(
      checkedText((text) => birdVersionOf(text) !== null, "must be a version of BIRD, as 2.0.12"),
      "2.0.12",
      {
        meaning:
          "BIRD that the configuration is for: 2.14 and newer clear unknown attributes, 3 refuses them",
      },
    ),
    log: keyWithDefault(v.picklist(["syslog", "stderr"]), "syslog", { meaning: "Where BIRD writes its log" }),
  }),
  platform: v.object({
    prefixes: configKey(v.pipe(v.array(prefix), v.nonEmpty("must not be empty")), {
      meaning:
        "What upstreams, peers and route servers receive: users' prefixes or, shorter than /48, aggregates of leases",
    }),
    infrastructure_prefix: configKey(prefix, { meaning: "Prefix of the operator, announced to users" }),
    originate: keyWithDefault(v.boolean(), false, {
      meaning: "Announce the platform's prefixes even while no user does",
    }),
    asn_pool_start: keyWithDefault(asn, 65_000, { meaning: "First ASN of users" }),
    asn_pool_end: keyWithDefault(asn, 65_999, { meaning: "Last ASN of users" }),
  }),
  users: section({
    routes_max: numberKey([1, userRoutesMax], userRoutesDefault, {
      meaning: "Routes that a user may send",
      unit: "routes",
    }),
    hold_time_sec: numberKey([holdTimeSecMin, holdTimeSecMax], holdTimeSecDefault, {
      meaning: "BGP hold time",
      unit: "s",
    }),
    error_wait_sec: numberKey([1, errorWaitSecMax], errorWaitSecDefault, {
      meaning: "Pause after a session broke a limit, doubled from time to time",
      unit: "s",
    }),
  }),
  rpki: v.object({
    host: configKey(hostName, { meaning: "RTR server: address or name" }),
    port: keyWithDefault(wholeNumber(1, 65_535), 8282, { meaning: "Its port" }),
    second: v.optional(
      v.object({
        host: configKey(hostName, {
          meaning: "Another RTR server, asked at the same time",
          otherwise: "none",
        }),
        port: keyWithDefault(wholeNumber(1, 65_535), 8282, { meaning: "Its port" }),
      }),
    ),
    aspa: keyWithDefault(v.boolean(), false, {
      meaning: "Refuse paths from outside that ASPA calls invalid; BIRD 2.16 or 3.1, RTR version 2",
    }),
  }),
  neighbors: v.optional(v.array(neighbor), []),
  outside: section({
    bogon_prefixes: keyWithDefault(v.array(prefix), [...bogonPrefixes], {
      meaning: "Refused from outside",
      otherwise: "special and unused ranges",
    }),
    bogon_asns: keyWithDefault(
      v.array(checkedText((text) => asnRangeOf(text) !== null, "must be an ASN, or FIRST-LAST")),
      [...bogonAsns],
      { meaning: "Paths with these are refused from outside", otherwise: "special and private ranges" },
    ),
  }),
  kernel: section({
    routes: keyWithDefault(v.picklist(["all", "users", "none"]), "all", {
      meaning: "Which routes the kernel forwards by",
    }),
    table: optionalKey(wholeNumber(1, 4_294_967_295), { meaning: "Number of its table", otherwise: "main" }),
  }),
  vpn: v.optional(
    v.object({
      server_url: configKey(filled, { meaning: "Where devices reach the coordination server" }),
      issuer: configKey(filled, { meaning: "OIDC issuer of platform accounts" }),
      client_id: configKey(plain, { meaning: "Its name for the coordination server" }),
      client_secret_file: configKey(plain, { meaning: "File with the client's secret" }),
      base_domain: configKey(plain, { meaning: "Domain of devices' names, not that of server_url" }),
      exchange_tag: keyWithDefault(tag, "tag:exchange", { meaning: "Tag of exchange servers" }),
      status_port: numberKey([1, 65_535], defaultPorts.policyGenerator, {
        meaning: "Port of the policy generator, whose status users may see",
      }),
      internet_range: keyWithDefault(prefix, "2000::/3", {
        meaning: "What exchange servers advertise, and users reach",
      }),
    }),
  ),
});

export type ExchangeSettings = v.InferOutput<typeof exchangeSchema>;

/** Throws ConfigError with every problem, a line each. */
export function readSettings(
  source: { name: string; text: string },
  environment: Environment,
): ExchangeSettings {
  return loadConfig({
    schema: exchangeSchema,
    source,
    environment,
    environmentPrefixes: ["VANTAGE_EXCHANGE_"],
    contradictions: contradictionsOf,
  });
}

function contradictionsOf(settings: ExchangeSettings): Contradiction[] {
  const { exchange, platform, neighbors = [] } = settings;
  const tunnel = parsePrefix("100.64.0.0/10");
  const found: Contradiction[] = [];
  if (tunnel && !prefixContains(tunnel, parseAddress(exchange.tunnel_address) ?? new Uint8Array(16))) {
    found.push({ path: ["exchange", "tunnel_address"], reason: "must be an address of 100.64.0.0/10" });
  }
  if (settings.rpki.aspa && !knowsAspa(birdVersionOf(exchange.bird_version) ?? [0, 0, 0])) {
    const reason = `needs BIRD 2.16 or 3.1, and exchange.bird_version is ${exchange.bird_version}`;
    found.push({ path: ["rpki", "aspa"], reason });
  }
  if (platform.asn_pool_start > platform.asn_pool_end) {
    found.push({ path: ["platform", "asn_pool_end"], reason: "must not be below asn_pool_start" });
  }
  const names = neighbors.map(({ role, name }) => `${role}_${name}`);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) {
      found.push({ path: ["neighbors", index, "name"], reason: `is taken: another ${name} is above` });
    }
  }
  for (const [index, text] of platform.prefixes.entries()) {
    if ((parsePrefix(text)?.length ?? 0) > 48) {
      found.push({ path: ["platform", "prefixes", index], reason: "must be a /48 or shorter" });
    }
  }
  return found;
}
