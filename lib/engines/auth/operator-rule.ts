/** Which users of the issuer are operators: by name, or by a role that the issuer writes into their tokens. */
import type { JWTPayload } from "jose";

export interface OperatorRule {
  /** The `sub` of their tokens, compared exactly. */
  readonly subjects: readonly string[];
  /** The claim that holds roles: a name, or a path of names joined by dots. Null = roles are ignored. */
  readonly claim: string | null;
  readonly role: string;
}

export const noOperators: OperatorRule = { subjects: [], claim: null, role: "" };

export function hasOperators({ subjects, claim }: OperatorRule): boolean {
  return subjects.length > 0 || claim !== null;
}

/** `payload` must be from a token whose signature, issuer, audience and times were checked. */
export function isOperator(payload: JWTPayload, { subjects, claim, role }: OperatorRule): boolean {
  return subjects.includes(payload.sub ?? "") || (claim !== null && rolesAt(payload, claim).includes(role));
}

/**
 * A list of texts, or one text with roles separated by blanks, like `scope`; anything else holds no roles.
 *
 * Keycloak has them at `realm_access.roles`; Auth0 in a claim whose name is a URL and itself contains dots, so the
 * whole name is tried first.
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
