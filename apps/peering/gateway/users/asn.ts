/** POST /api/user/asn: the caller's ASN, assigned at the first request. */
import type { asnAnswer } from "../../../../lib/base/api/leases.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import type { Identity } from "../../../../lib/engines/auth/token-verifier.ts";
import { type Problem, problem } from "../../../../lib/engines/http/problem.ts";
import type { Services } from "../services.ts";
import { type AccountServices, suspended, withAccount } from "./accounts.ts";

type AsnAnswer = StoredAnswer<typeof asnAnswer>;

interface Assigned {
  readonly outcome: "assigned" | "had" | "suspended" | "no_asn" | "unknown_user";
  readonly given: number | null;
}

export async function assignAsn(
  services: AccountServices & Pick<Services, "metrics">,
  identity: Identity,
): Promise<AsnAnswer> {
  const { database, metrics } = services;
  const { outcome, given } = await withAccount(services, identity, async () => {
    const [row] = await database.timed(
      "asn_assign",
      () => database.sql<Assigned[]>`SELECT outcome, given FROM assign_asn(${identity.userHash})`,
    );
    return row ?? { outcome: "unknown_user", given: null };
  });
  if (outcome === "suspended") {
    throw suspended();
  }
  if (given === null) {
    throw noAsn();
  }
  if (outcome === "had") {
    return { asn: given, message: "ASN already assigned" };
  }
  metrics.asnAssigned();
  return { asn: given, message: "ASN assigned successfully" };
}

export function noAsn(): Problem {
  return problem(503, "asn_pool_empty", "No available ASNs at this time");
}
