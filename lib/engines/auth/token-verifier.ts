/** Identifies the user of a bearer token: the port, and an adapter for development without an identity provider. */
import { createHash } from "node:crypto";
import type { KnownNames } from "./known-names.ts";
import type { TokenGrant } from "./token-grant.ts";

export interface Identity {
  /** The token's `sub`; empty for an API token, which does not hold it. Never stored in plain text, never logged. */
  readonly subject: string;
  /** Lower-case hex SHA-256 of the subject: identifies the user everywhere else. */
  readonly userHash: string;
  /** The person's name, from the token; null = not in it. Never stored, never logged. */
  readonly name?: string | null;
  /** The gateway's configuration gives this user the rights of an operator. */
  readonly isOperator: boolean;
  /** The rights of an API token; left out: a login, which has all of the user's rights. */
  readonly grant?: TokenGrant;
}

export interface TokenVerifier {
  /** False: every caller is accepted, with any header or none. */
  readonly needsToken: boolean;
  /** Names of people who have come since the start; left out: none are known. */
  readonly names?: KnownNames;
  /** Whether some of its users may be operators; left out: no. */
  readonly hasOperators?: boolean;
  /** Rejects with Failure `auth`. */
  verify(token: string): Promise<Identity>;
  /** Rejects while users cannot log in, because the issuer is unreachable. Left out: it depends on no issuer. */
  checkIssuer?(): Promise<void>;
}

export function identityOf(subject: string, isOperator = false): Identity {
  return { subject, userHash: userHashOf(subject), isOperator };
}

export function userHashOf(subject: string): string {
  return createHash("sha256").update(subject).digest("hex");
}

/** Accepts every caller as one user, `test-user-id`. Only for services that listen on loopback; they check that. */
export function bypassVerifier(): TokenVerifier {
  const identity = identityOf("test-user-id");
  return { needsToken: false, verify: () => Promise.resolve(identity) };
}
