/** Who the user is at the exchange: what the environment leaves out is as the gateway states it. Pure. */
import type { BootstrapConfig } from "./config.ts";
import type { LeaseKnowledge } from "./leases.ts";

export interface Identity {
  /** Null = not known yet. */
  readonly asn: number | null;
  readonly platformAsn: number | null;
  /** In the spelling of RFC 5952, sorted; empty = receive only. */
  readonly prefixes: readonly string[];
}

export function identityOf(
  { user, platformAsn }: Pick<BootstrapConfig, "user" | "platformAsn">,
  leases: LeaseKnowledge | null,
): Identity {
  const stated = leases?.source === "gateway" ? leases : null;
  return {
    asn: user.asn ?? stated?.asn ?? null,
    platformAsn: platformAsn ?? stated?.platformAsn ?? null,
    prefixes: user.prefixes ?? (stated?.leases ?? []).map(({ prefix }) => prefix).sort(),
  };
}
