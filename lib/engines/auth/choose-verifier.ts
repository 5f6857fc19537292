/** The verifier selected by a gateway's configuration. */
import { Failure } from "../../base/failure/failure.ts";
import { oidcVerifier } from "./oidc-verifier.ts";
import type { OperatorRule } from "./operator-rule.ts";
import { bypassVerifier, type TokenVerifier } from "./token-verifier.ts";

export interface VerifierChoice {
  readonly bypassAuthentication: boolean;
  /** Null = no user can log in. */
  readonly oidc: {
    readonly issuer: string;
    readonly audiences: readonly string[];
    readonly jwksUri: string | null;
    readonly operators: OperatorRule;
    readonly nameClaims: readonly string[];
  } | null;
}

export function chooseVerifier({ bypassAuthentication, oidc }: VerifierChoice): TokenVerifier {
  if (bypassAuthentication) {
    return bypassVerifier();
  }
  if (oidc === null) {
    return refusingVerifier();
  }
  const { issuer, audiences, jwksUri, operators, nameClaims } = oidc;
  return oidcVerifier({ issuer, audiences, operators, nameClaims, ...(jwksUri === null ? {} : { jwksUri }) });
}

/**
 * Without an issuer a gateway serves its operator and services; users get an error that explains why they cannot log
 * in.
 */
function refusingVerifier(): TokenVerifier {
  const message = "No identity provider is configured: the operator must set oidc.issuer";
  return {
    needsToken: true,
    verify: () => Promise.reject(new Failure("auth", "issuer_unavailable", message)),
  };
}
