/**
 * Every key of an agent's configuration, with its unit and default. docs/reference/agent-configuration.md is made from
 * this.
 *
 * Keys and defaults are those of existing agents, so that their files work; what Vantage adds is marked "(ours)".
 */
import * as v from "valibot";
import { wholeNumber } from "../../../../lib/base/api/fields.ts";
import { listenAddress } from "../../../../lib/engines/config/addresses.ts";
import { brokers } from "../../../../lib/engines/config/broker-keys.ts";
import { loginKeys } from "../../../../lib/engines/config/broker-login.ts";
import { defaultPorts } from "../../../../lib/engines/config/default-ports.ts";
import { destinationRates } from "../../../../lib/engines/config/destination-rates.ts";
import { configKey, keyWithDefault, numberKey, optionalKey } from "../../../../lib/engines/config/shape.ts";
import { checkedText } from "../../../../lib/engines/config/values.ts";
import { parseHours } from "../../../../lib/measuring/probing/host-hours.ts";
import { isSafeName } from "../../../../lib/measuring/probing/safe-name.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import { agentIdBytesMax } from "../../../../lib/net/wire/limits.ts";
import { probesTopic, repliesTopic } from "../../../../lib/net/wire/target-header.ts";
import { rateProbesPerSecMax } from "../limits.ts";
import { gatewayKeys } from "./gateway-keys.ts";

/** Ids appear in target lists (`agent:[v6],agent`), where these characters have a meaning. */
const agentIdPattern = /^[^\s:,[\]]+$/;

const agentId = checkedText(
  (id) => agentIdPattern.test(id) && isSafeName(id) && new TextEncoder().encode(id).length <= agentIdBytesMax,
  `must be a name without spaces and none of : , [ ], of at most ${agentIdBytesMax} bytes, and not . or ..`,
);
const prefixOfFamily = (family: 4 | 6, example: string) =>
  checkedText(
    (prefix) => parsePrefix(prefix)?.family === family,
    `must be an IPv${family} prefix such as ${example}`,
  );
const peer = checkedText((id) => parsePeer(id) !== null, "must be AGENT:INSTANCE_ID, such as west:1");
const hours = checkedText(
  (text) => parseHours(text) !== null,
  "must be hours of the day in UTC, such as 22:00-06:00 or 08:00-12:00,14:00-18:00",
);
const topic = checkedText(
  (name) => /^[\w.-]{1,249}$/.test(name),
  "must be a topic's name: letters, digits, . _ -",
);
const topics = checkedText(
  (names) => names.split(",").every((name) => /^[\w.-]{1,249}$/.test(name.trim())),
  "must be names of topics, parted by commas",
);
const rateLimitingMethod = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.check(
    (name) => ["auto", "active", "sleep", "none"].includes(name),
    "must be one of auto, active, sleep, none",
  ),
);

/** Limits that are not a field's width; docs/reference/agent-configuration.md has the reason for each. */
const agent = v.object({
  id: configKey(agentId, { meaning: "Name of this agent: in targets, replies and tags" }),
  metrics_address: keyWithDefault(listenAddress(), `0.0.0.0:${defaultPorts.agent}`, {
    unit: "host:port",
    meaning: "Where `/metrics` and `/health` are served",
  }),
  state_dir: optionalKey(v.string(), {
    meaning:
      "(ours) Folder for keys, progress, replies that wait for the broker, refused records, the gateway's orders",
    otherwise: "`/var/lib/vantage/ID`",
  }),
  user: optionalKey(v.string(), {
    meaning:
      "(ours) Whom an agent that root starts becomes when its sockets are open: a name, `UID:GID`, or `root`",
    otherwise: "`vantage-agent`, else `nobody`, else root (docs/operate/services.md)",
    blankIsDefault: true,
  }),
  integrity_key: optionalKey(v.string(), {
    meaning: "(ours) Secret of the tags in our probes; the agents of one anycast group share it",
    otherwise: "made once, kept in `state_dir`",
  }),
  anycast_peers: v.optional(
    v.array(
      configKey(peer, {
        meaning: "(ours) `AGENT:INSTANCE_ID` of other instances whose replies may arrive here",
      }),
    ),
    [],
  ),
  grace_time: numberKey([500, 600_000], 10_000, {
    unit: "ms",
    meaning: "(ours) From SIGTERM to the end, at most",
  }),
  blocklist_file: optionalKey(v.string(), {
    meaning: "(ours) Prefixes that are never probed, one per line, `#` comments; read again on SIGHUP",
    blankIsDefault: true,
  }),
  allowlist_file: optionalKey(v.string(), {
    meaning: "(ours) If given, only these prefixes are probed; read again on SIGHUP",
    blankIsDefault: true,
  }),
  block_reserved_ranges: keyWithDefault(v.boolean(), true, {
    meaning: "(ours) Never probe private, documentation and other special destinations, for any user",
  }),
  dns_probes: keyWithDefault(v.boolean(), false, {
    meaning: "(ours) Ask name servers, UDP port 53, which of their sites answers, for users who request it",
  }),
  ...destinationRates(
    rateProbesPerSecMax,
    "(ours) To one address, of all probers together; TCP and DNS a tenth of it; `0` = without limit",
    "(ours) To one /24 or /48 likewise; `0` = without limit",
  ),
  bytes_per_day: optionalKey(wholeNumber(10_000, 2 ** 50), {
    unit: "bytes",
    meaning: "(ours) The host's limit: what leaves in a UTC day, at most; read again on SIGHUP",
  }),
  probes_per_day: optionalKey(wholeNumber(1, 2 ** 50), {
    unit: "packets",
    meaning: "(ours) The host's limit: probes that leave in a UTC day, at most; read again on SIGHUP",
  }),
  hours: optionalKey(hours, {
    meaning:
      "(ours) The host's hours in UTC, `22:00-06:00` or several parted by commas; read again on SIGHUP",
    otherwise: "at any time",
  }),
  spool_bytes_max: numberKey([1 << 20, 2 ** 40], 256 << 20, {
    unit: "bytes",
    meaning: "(ours) Replies kept on disk while the broker is unavailable; beyond that, senders pause",
  }),
});

const prober = v.object({
  name: optionalKey(v.string(), { meaning: "For people, in metrics and logs", otherwise: "`proberN`" }),
  instance_id: numberKey([0, 65_535], 0, {
    meaning: "Part of every tag; unique within the agent",
    blankIsDefault: true,
  }),
  interface: optionalKey(v.string(), {
    meaning: "Where probes leave and answers are captured",
    otherwise: "that of the default route",
    blankIsDefault: true,
  }),
  src_ipv4_prefix: optionalKey(prefixOfFamily(4, "192.0.2.0/24"), {
    meaning: "IPv4 source addresses; with neither prefix, those of the interface",
    blankIsDefault: true,
  }),
  src_ipv6_prefix: optionalKey(prefixOfFamily(6, "2001:db8::/48"), {
    meaning: "IPv6 source addresses",
    blankIsDefault: true,
  }),
  probing_rate: numberKey([1, rateProbesPerSecMax], 100, {
    unit: "packets/s",
    meaning: "Pace of sending",
    blankIsDefault: true,
  }),
  rate_limiting_method: keyWithDefault(rateLimitingMethod, "auto", {
    meaning: "How to wait for the pace: `sleep`, `active` (spin), `none` (do not wait), `auto` (= `sleep`)",
    blankIsDefault: true,
  }),
  back_end: keyWithDefault(v.picklist(["packet", "xdp"]), "packet", {
    meaning:
      "(ours) How packets reach the kernel: `packet`, or where it is available `xdp`: docs/internals/line-rate.md",
  }),
  batch_size: numberKey([1, 1_000_000], 100, {
    unit: "packets",
    meaning: "Most packets in one call to the kernel; it is never given more than 64",
    blankIsDefault: true,
  }),
  packets: numberKey([1, 10_000], 1, { meaning: "How often each probe is sent", blankIsDefault: true }),
  min_ttl: numberKey([1, 255], 1, {
    meaning: "Probes below it are counted and not sent",
    blankIsDefault: true,
  }),
  max_ttl: numberKey([1, 255], 255, {
    meaning: "Probes above it are counted and not sent",
    blankIsDefault: true,
  }),
  integrity_check: optionalKey(v.boolean(), {
    meaning:
      "Drop answers that do not prove to be ours; `false` keeps such ICMP without RTT. The same for all probers",
    otherwise: "`true`",
  }),
  dry_run: keyWithDefault(v.boolean(), false, {
    meaning: "Do all but send: needs no privilege",
    blankIsDefault: true,
  }),
});

const kafka = v.object({
  brokers: configKey(brokers, {
    unit: "host:port,…",
    meaning: "Kafka brokers, IPv6 in brackets; or `embedded:DIR` (ours)",
  }),
  ...loginKeys,
  message_max_bytes: numberKey([1024, 1_000_000], 990_000, {
    unit: "bytes",
    meaning: "Largest record of replies",
  }),
  in_topics: keyWithDefault(topics, probesTopic, {
    meaning: "Where probes come from; several parted by commas",
  }),
  in_group_id: optionalKey(v.string(), {
    meaning: "Consumer group; each agent needs its own, because each must see every record",
    otherwise: "`vantage-agent-ID`",
    blankIsDefault: true,
  }),
  out_enable: keyWithDefault(v.boolean(), true, { meaning: "Publish replies; else they are only counted" }),
  out_topic: keyWithDefault(topic, repliesTopic, { meaning: "Where replies go" }),
  out_batch_wait_time: numberKey([1, 60_000], 1000, {
    unit: "ms",
    meaning: "How long replies may wait for others, while the broker is busy with those before them",
  }),
  out_batch_wait_interval: numberKey([1, 10_000], 100, {
    unit: "ms",
    meaning: "How often captured replies are read",
  }),
  replies_per_record: numberKey([1, 10_000], 1, {
    meaning: "(ours) Most replies of one measurement in one record, one message after another",
  }),
});

export const agentConfigSchema = v.object({
  agent,
  gateway: v.optional(gatewayKeys, {}),
  prober: v.array(prober),
  kafka,
});

/** Alternative section names in existing files. */
export const agentConfigAliases = { caracat: "prober" } as const;

export interface PeerId {
  readonly agentId: string;
  readonly instanceId: number;
}

/** Parses `AGENT:INSTANCE_ID`; null for anything else. */
export function parsePeer(text: string): PeerId | null {
  const match = /^([^\s:,[\]]+):(\d{1,5})$/.exec(text);
  const [, agentId, instance] = match ?? [];
  return agentId === undefined || Number(instance) > 65_535
    ? null
    : { agentId, instanceId: Number(instance) };
}
