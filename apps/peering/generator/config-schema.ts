/** The shape of the policy generator's configuration: keys, defaults, and what they mean. */
import * as v from "valibot";
import { wholeNumber } from "../../../lib/base/api/fields.ts";
import { listenAddress } from "../../../lib/engines/config/addresses.ts";
import { defaultPorts } from "../../../lib/engines/config/default-ports.ts";
import {
  configKey,
  keyWithDefault,
  numberKey,
  optionalKey,
  section,
} from "../../../lib/engines/config/shape.ts";
import { checkedText, filled } from "../../../lib/engines/config/values.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { budgetSchema } from "./budget-config.ts";
import * as limits from "./limits.ts";

const asn = wholeNumber(1, 4_294_967_294);
const webAddress = checkedText(
  (text) => /^https?:\/\/[^\s]+$/.test(text),
  "must be a http:// or https:// address",
);
const namedServer = checkedText(
  (text) => /^[a-z0-9-]{1,100}$/.test(text),
  "must be a name of lower-case letters, digits and hyphens",
);
const network = checkedText((text) => parsePrefix(text) !== null, "must be an address or a prefix");

export const generatorSchema = v.object({
  generator: section({
    address: keyWithDefault(
      listenAddress("ADDRESS:PORT, as 127.0.0.1:8091"),
      `127.0.0.1:${defaultPorts.policyGenerator}`,
      { meaning: "Where it listens; users of the VPN reach it on the tunnel's address" },
    ),
    server: optionalKey(namedServer, {
      meaning: "Name of this exchange server in the VPN, by which users' announcement requests name it",
      otherwise: "the host's name, up to the first dot",
    }),
    state_dir: keyWithDefault(filled, "/var/lib/vantage/policy-generator", {
      meaning: "Folder for the last known data, so that a restart has it too",
    }),
    interval_sec: numberKey([1, limits.intervalSecMax], limits.intervalSecDefault, {
      meaning: "Time between two reads of the sources",
      unit: "s",
    }),
    max_stale_sec: numberKey([1, limits.staleSecMax], limits.staleSecDefault, {
      meaning: "Age of data at which every route of every user is refused",
      unit: "s",
    }),
    alert_stale_sec: numberKey([1, limits.staleSecMax], limits.alertSecDefault, {
      meaning: "Age of data at which health is degraded",
      unit: "s",
    }),
    standby_after_sec: numberKey([1, limits.standbySecMax], limits.standbySecDefault, {
      meaning: "Silence of the generator after which one that runs with --standby does its work",
      unit: "s",
    }),
    operator_networks: keyWithDefault(v.array(network), ["127.0.0.0/8", "::1"], {
      meaning: "From where everything may be seen and refreshed",
      otherwise: "loopback",
    }),
  }),
  gateway: v.object({
    url: configKey(webAddress, { meaning: "The peering gateway" }),
    key: optionalKey(filled, { meaning: "Service key", otherwise: "`key_file`" }),
    key_file: optionalKey(filled, { meaning: "File with the service key", otherwise: "none" }),
    watch: keyWithDefault(v.boolean(), true, {
      meaning: "Ask the gateway for changes all the time; others have no such feed",
    }),
  }),
  vpn: v.object({
    headscale_url: optionalKey(webAddress, { meaning: "Headscale's address", otherwise: "none" }),
    headscale_key: optionalKey(filled, { meaning: "Its API key", otherwise: "`headscale_key_file`" }),
    headscale_key_file: optionalKey(filled, { meaning: "File with its API key", otherwise: "none" }),
    nodes_file: optionalKey(filled, {
      meaning: "Without Headscale: a device in each line, `USER_HASH 100.64.0.10 [IPV6]`",
      otherwise: "none",
    }),
    issuer: optionalKey(filled, { meaning: "OIDC issuer by which Headscale names users", otherwise: "none" }),
    allow_email_join: keyWithDefault(v.boolean(), false, {
      meaning: "Join users by e-mail address where the VPN names nothing else",
    }),
    approve_routes: keyWithDefault(v.boolean(), false, {
      meaning: "Keep Headscale's approved routes equal to the leases; one generator only",
    }),
  }),
  platform: v.object({
    asn: configKey(asn, { meaning: "AS of the platform" }),
    asn_pool_start: keyWithDefault(asn, 65_000, { meaning: "First ASN of users" }),
    asn_pool_end: keyWithDefault(asn, 65_999, { meaning: "Last ASN of users" }),
  }),
  daemon: section({
    policy_file: keyWithDefault(filled, "/etc/bird/peering_generated.conf", {
      meaning: "File that the routing daemon includes",
    }),
    control_socket: keyWithDefault(filled, "/run/bird/bird.ctl", { meaning: "BIRD's control socket" }),
    check_command: keyWithDefault(filled, "bird", { meaning: "The bird that checks a policy first" }),
    sample_sec: numberKey([1, 60], limits.sampleSecDefault, {
      meaning: "Time between two reads of the sessions",
      unit: "s",
    }),
    policy_ends_sec: optionalKey(wholeNumber(0, limits.policyEndsSecMax), {
      meaning:
        "How long BIRD keeps a policy that is not renewed; then it refuses every user. 0 = without end",
      unit: "s",
      otherwise: "60, or more with a longer `sample_sec` or `standby_after_sec`",
    }),
  }),
  budget: v.optional(budgetSchema, {}),
});
