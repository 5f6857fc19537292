/** Every key of the gateway's configuration. docs/reference/peering-gateway-configuration.md is made from this. */
import * as v from "valibot";
import { neighborName } from "../../../lib/base/api/announcements.ts";
import { wholeNumber } from "../../../lib/base/api/fields.ts";
import { webAddress } from "../../../lib/engines/config/addresses.ts";
import { defaultPorts } from "../../../lib/engines/config/default-ports.ts";
import { configKey, keyWithDefault, numberKey, optionalKey } from "../../../lib/engines/config/shape.ts";
import { checkedText, filled } from "../../../lib/engines/config/values.ts";
import { databaseSection, gatewaySection, oidcSection } from "../../../lib/engines/service/gateway-config.ts";
import { parseAsnRange } from "../../../lib/peering/lease/asn-ranges.ts";
import { asnMax, leaseHoursMax, leasesPerUserMax } from "../../../lib/peering/lease/limits.ts";
import { announcementsPerHourMax, neighborsConfiguredMax } from "./limits.ts";
import { parseSubjectKey } from "./subjects/subject-key.ts";

const asns = v.object({
  pool: v.optional(
    v.array(
      configKey(
        checkedText((text) => parseAsnRange(text) !== null, "must be FIRST-LAST, two 32-bit AS numbers"),
        { meaning: "ASNs that users are given, the lowest free one first" },
      ),
    ),
    ["65000-65999"],
  ),
});

const leases = v.object({
  pool_file: optionalKey(filled, {
    meaning: "Prefixes that are leased: a block up to /48 per line, `#` comments",
    otherwise: "`pool`",
  }),
  pool: v.optional(v.array(configKey(filled, { meaning: "The same here, without a file" })), []),
  hours_max: numberKey([1, leaseHoursMax], 24, {
    meaning: "Longest lease, unless an admin has set another limit for the user",
    unit: "hours",
  }),
  per_user_max: numberKey([0, leasesPerUserMax], 1, {
    meaning: "Leases of a user at one time, unless an admin has set another number",
  }),
  cool_down_minutes: numberKey([0, 1_000_000], 60, {
    meaning: "After a lease, only its user gets the prefix for this long",
    unit: "minutes",
  }),
  ends_soon_minutes: numberKey([0, 100_000], 30, {
    meaning: "Users and the change feed are warned this long before a lease ends",
    unit: "minutes",
  }),
  history_days: optionalKey(wholeNumber(1, 36_500), {
    meaning: "Closed leases are deleted after this time",
    unit: "days",
    otherwise: "kept permanently",
  }),
});

const subjects = v.object({
  keys: v.optional(
    v.array(
      configKey(
        checkedText((text) => parseSubjectKey(text) !== null, "must be ID:KEY as --make-key prints it"),
        { meaning: "Keys that users' subjects are encrypted with; the first one encrypts, all decrypt" },
      ),
    ),
    [],
  ),
  keys_file: optionalKey(filled, {
    meaning: "File with the keys, one per line, `#` comments",
    otherwise: "`keys`",
  }),
});

const email = v.object({
  provider: keyWithDefault(v.picklist(["none", "auth0", "keycloak"]), "none", {
    meaning: "Management API that knows users' e-mail addresses: none, auth0 or keycloak",
  }),
  url: optionalKey(webAddress, {
    meaning: "auth0: `https://TENANT`; keycloak: `https://HOST` and the path before `/realms`",
    otherwise: "none",
  }),
  realm: optionalKey(filled, { meaning: "Realm of Keycloak", otherwise: "none" }),
  client_id: optionalKey(filled, { meaning: "Client that may read users", otherwise: "none" }),
  client_secret: optionalKey(filled, { meaning: "Its secret", otherwise: "`client_secret_file`" }),
  client_secret_file: optionalKey(filled, { meaning: "File with its secret", otherwise: "none" }),
});

const service = v.object({
  keys: v.optional(
    v.array(
      v.object({
        name: configKey(filled, { meaning: "Who has the key: shown in logs" }),
        key: optionalKey(filled, {
          meaning: "Key of the service API, as it is sent",
          otherwise: "`key_sha256`",
        }),
        key_sha256: optionalKey(
          checkedText((text) => /^[\da-f]{64}$/.test(text), "must be 64 lower-case hex digits"),
          { meaning: "SHA-256 of the key, so that the key itself is nowhere", otherwise: "`key`" },
        ),
      }),
    ),
    [],
  ),
});

/** Whether it can stand in a header. */
export function isKrillToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

const krill = v.object({
  url: optionalKey(webAddress, { meaning: "Krill's address: `https://HOST:3000`", otherwise: "none" }),
  ca: optionalKey(
    checkedText((text) => /^[-\w]{1,255}$/.test(text), "must be letters, digits, - and _"),
    { meaning: "Name of its CA, which holds the pool", otherwise: "none" },
  ),
  token: optionalKey(checkedText(isKrillToken, "must be visible ASCII, without spaces"), {
    meaning: "Token of Krill's API",
    otherwise: "`token_file`",
  }),
  token_file: optionalKey(filled, { meaning: "File with the token", otherwise: "none" }),
  certificate_file: optionalKey(filled, {
    meaning: "PEM file with Krill's own certificate (`ssl/cert.pem` of its data), or of who signed it",
    otherwise: "the system's authorities",
  }),
  aspa: keyWithDefault(v.boolean(), false, {
    meaning:
      "Make an ASPA object of each user's ASN: its one provider is `origin_asn`; the CA must hold the ASNs",
  }),
  reconcile_minutes: numberKey([1, 1440], 60, {
    meaning: "The whole list at Krill is compared this often, besides each time that something failed",
    unit: "minutes",
  }),
});

const rpki = v.object({
  mode: keyWithDefault(v.picklist(["pool", "lease"]), "pool", {
    meaning: "pool: the whole pool is authorised, always; lease: each lease, on and off by its user",
  }),
  adapter: keyWithDefault(v.picklist(["none", "local", "krill"]), "none", {
    meaning:
      "local: this gateway publishes the authorisations at /vrps.json; krill: there, and as ROAs; none: others do",
  }),
  origin_asn: optionalKey(wholeNumber(1, asnMax), {
    meaning: "AS that announces the pool to the Internet; for local and krill",
    otherwise: "none",
  }),
  krill: v.optional(krill, {}),
});

const announcements = v.object({
  prefix_minutes: numberKey([0, 1440], 10, {
    meaning: "Between two changes of a prefix's announcement: networks outside suppress what changes often",
    unit: "minutes",
  }),
  per_hour_max: numberKey([1, announcementsPerHourMax], 10, {
    meaning: "Changes of announcements of a user in an hour; withdrawing is always allowed, and counted",
  }),
  neighbors: v.optional(
    v.pipe(
      v.array(
        v.object({
          name: configKey(neighborName, {
            meaning: "Name of an exchange server's upstream, peer or route server",
          }),
          asn: configKey(wholeNumber(1, asnMax), {
            meaning: "Its AS: users may name either in their announcements",
          }),
        }),
      ),
      v.maxLength(neighborsConfiguredMax),
    ),
    [],
  ),
});

export const gatewayConfigSchema = v.object({
  gateway: v.optional(gatewaySection("/var/lib/vantage/peering-gateway", defaultPorts.peeringGateway), {}),
  database: v.optional(databaseSection, {}),
  oidc: v.optional(oidcSection, {}),
  asns: v.optional(asns, {}),
  leases: v.optional(leases, {}),
  subjects: v.optional(subjects, {}),
  email: v.optional(email, {}),
  service: v.optional(service, {}),
  rpki: v.optional(rpki, {}),
  announcements: v.optional(announcements, {}),
});

/** The file's content with defaults. */
export type GivenConfig = v.InferOutput<typeof gatewayConfigSchema>;
