/**
 * The known leases of the user: from the gateway where a token is configured, else from exchange servers, which show a
 * device its own leases. The last answer of each stays in use while nobody answers.
 */
import * as v from "valibot";
import { infoAnswer } from "../../../lib/base/api/leases.ts";
import { Gateway } from "../../../lib/engines/gateway-client/gateway.ts";
import packageJson from "../../../package.json" with { type: "json" };
import type { GatewayLogin } from "./gateway-login.ts";

interface Lease {
  readonly prefix: string;
  /** Milliseconds since the epoch; null = unknown. */
  readonly endsAtMs: number | null;
}

export interface LeaseKnowledge {
  readonly source: "gateway" | "exchange";
  /** Null = the user has none yet, or the source does not know it. */
  readonly asn: number | null;
  readonly leases: readonly Lease[];
}

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

const ownInfo = v.object({
  ...v.pick(infoAnswer, ["asn"]).entries,
  active_leases: v.array(v.object({ prefix: v.string(), end_time: v.string() })),
});

/** Reads the leases from the gateway. Rejects with GatewayError. */
export async function leasesAtGateway({ url, tokens }: GatewayLogin): Promise<LeaseKnowledge> {
  const gateway = new Gateway({
    address: url,
    tokens,
    userAgent: `vantage/${packageJson.version}`,
    // The next request comes by the clock.
    retryDelaysMs: [],
  });
  const { asn, active_leases: leases } = await gateway.read("/api/user/info", ownInfo);
  return {
    source: "gateway",
    asn,
    leases: leases.map(({ prefix, end_time: end }) => ({ prefix, endsAtMs: Date.parse(end) })),
  };
}

/** Differences between the user's settings and the gateway; each line says what to change. */
export function disagreements(
  user: { readonly asn: number; readonly prefixes: readonly string[] },
  knowledge: LeaseKnowledge,
  nowMs: number,
): string[] {
  const asn =
    knowledge.asn === null
      ? ["USER_ASN: the gateway has given you no ASN yet: ask for one, by POST /api/user/asn"]
      : [
          `USER_ASN: the gateway has given you ${knowledge.asn}, not ${user.asn}: set USER_ASN=${knowledge.asn}`,
        ];
  const leased = knowledge.leases.map(({ prefix }) => prefix);
  const advice = leased.length === 0 ? "you have no lease now" : `leased are ${leased.join(", ")}`;
  const unleased = user.prefixes.filter((prefix) => leaseState(knowledge, prefix, nowMs) !== "leased");
  return [
    ...(knowledge.asn === user.asn ? [] : asn),
    ...unleased.map((prefix) => `USER_PREFIXES: ${prefix} is not leased to you: ${advice}`),
  ];
}
