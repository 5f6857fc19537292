/** Which users of the issuer are operators: by name, or by a role that the issuer writes into their tokens. */
import type { JWTPayload } from "jose";

export interface OperatorRule {
  /** The `sub` of their tokens, to the letter. */
  readonly subjects: readonly string[];
  /** Where roles are: the name of a claim, or names with dots between objects. Null = roles count for nothing. */
  readonly claim: string | null;
  readonly role: string;
}

export const noOperators: OperatorRule = { subjects: [], claim: null, role: "" };

export function hasOperators({ subjects, claim }: OperatorRule): boolean {
  return subjects.length > 0 || claim !== null;
}

/** The payload is that of a token whose signature, issuer, audience and times were checked. */
export function isOperator(payload: JWTPayload, { subjects, claim, role }: OperatorRule): boolean {
  return subjects.includes(payload.sub ?? "") || (claim !== null && rolesAt(payload, claim).includes(role));
}

/**
 * A list of texts, or one text with a blank between roles, as `scope` has it; anything else holds none.
 *
 * Keycloak has them at `realm_access.roles`; Auth0 in a claim whose name is an address, with dots of its own: so the
 * whole name is looked for first.
 */
function rolesAt(payload: JWTPayload, claim: string): readonly unknown[] {
  const value = own(payload, claim) ?? claim.split(".").reduce<unknown>(own, payload);
  if (Array.isArray(value)) {
    return value;
  }
  return typeof value === "string" ? value.split(" ") : [];
}

function own(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
