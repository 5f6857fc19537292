/**
 * The known leases of the user: from the gateway where a token is configured, else from exchange servers, which show a
 * device its own leases. The last answer of each stays in use while none is received.
 */
import * as v from "valibot";
import { infoAnswer } from "../../../lib/base/api/leases.ts";
import { Gateway } from "../../../lib/engines/gateway-client/gateway.ts";
import { parseLeasePrefix } from "../../../lib/peering/lease/lease-prefix.ts";
import packageJson from "../../../package.json" with { type: "json" };
import type { GatewayLogin } from "./gateway-login.ts";
import type { UserSettings } from "./user-environment.ts";

/** As it is kept on the disk, too. */
export const leaseKnowledge = v.object({
  source: v.picklist(["gateway", "exchange"]),
  /** Null = the user has none yet, or the source does not know it. */
  asn: v.nullable(v.number()),
  platformAsn: v.nullable(v.number()),
  leases: v.array(
    v.object({
      prefix: v.string(),
      /** Milliseconds since the epoch; null = unknown. */
      endsAtMs: v.nullable(v.number()),
    }),
  ),
});

export type LeaseKnowledge = v.InferOutput<typeof leaseKnowledge>;

type LeaseState = "leased" | "ended" | "missing" | "unknown";

/** `unknown` = no source has answered yet. */
export function leaseState(knowledge: LeaseKnowledge | null, prefix: string, nowMs: number): LeaseState {
  if (knowledge === null) {
    return "unknown";
  }
  const lease = knowledge.leases.find((one) => one.prefix === prefix);
  if (lease === undefined) {
    return "missing";
  }
  return lease.endsAtMs !== null && lease.endsAtMs <= nowMs ? "ended" : "leased";
}

/** It becomes a part of the daemon's configuration. */
const leasedPrefix = v.pipe(
  v.string(),
  v.check((text) => parseLeasePrefix(text) === text, "is not a /48"),
);

const ownInfo = v.object({
  ...v.pick(infoAnswer, ["asn"]).entries,
  /** Earlier gateways do not state it. */
  platform_asn: v.optional(infoAnswer.entries.platform_asn, null),
  active_leases: v.array(v.object({ prefix: leasedPrefix, end_time: v.string() })),
});

/** Requests an ASN, which remains the user's. Rejects with GatewayError. */
export async function requestAsn(login: GatewayLogin): Promise<void> {
  await gatewayAt(login).request("/api/user/asn", { method: "POST" });
}

function gatewayAt({ url, tokens }: GatewayLogin): Gateway {
  const userAgent = `vantage/${packageJson.version}`;
  // The next request comes by the clock.
  return new Gateway({ address: url, tokens, userAgent, retryDelaysMs: [] });
}

/** Reads the leases from the gateway. Rejects with GatewayError. */
export async function leasesAtGateway(login: GatewayLogin): Promise<LeaseKnowledge> {
  const info = await gatewayAt(login).read("/api/user/info", ownInfo);
  const { asn, platform_asn: platformAsn, active_leases: leases } = info;
  return {
    ...{ source: "gateway", asn, platformAsn },
    leases: leases.map(({ prefix, end_time: end }) => ({ prefix, endsAtMs: Date.parse(end) })),
  };
}

/** Differences between the user's settings and the gateway; each line says what to change. */
export function disagreements(
  { asn: ownAsn, prefixes }: UserSettings,
  knowledge: LeaseKnowledge,
  nowMs: number,
): string[] {
  const asn =
    knowledge.asn === null
      ? ["USER_ASN: the gateway has given you no ASN yet: ask for one, by POST /api/user/asn"]
      : [
          `USER_ASN: the gateway has given you ${knowledge.asn}, not ${ownAsn}: set USER_ASN=${knowledge.asn}`,
        ];
  const leased = knowledge.leases.map(({ prefix }) => prefix);
  const advice = leased.length === 0 ? "you have no lease now" : `leased are ${leased.join(", ")}`;
  const unleased = (prefixes ?? []).filter((prefix) => leaseState(knowledge, prefix, nowMs) !== "leased");
  return [
    ...(ownAsn === null || knowledge.asn === ownAsn ? [] : asn),
    ...unleased.map((prefix) => `USER_PREFIXES: ${prefix} is not leased to you: ${advice}`),
  ];
}
