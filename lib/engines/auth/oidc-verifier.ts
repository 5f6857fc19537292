/**
 * Checks tokens of any OpenID Connect issuer: signature, issuer, audience, times, subject.
 *
 * What can be refused without a key is refused first, so that an invalid token never triggers a request to the issuer.
 * A valid token is cached until it expires, or until the issuer's keys change: nothing else can invalidate it, and a
 * cached token costs microseconds. A verified token is trusted until its own `exp`: issuers that must revoke
 * quickly give short-lived tokens.
 */
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { Failure, isFailure } from "../../base/failure/failure.ts";
import { systemReason } from "../../base/failure/system-reason.ts";
import type { Fetch } from "./issuer-document.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import { KnownNames, nameIn } from "./known-names.ts";
import { leewaySec, shownClaimCharsMax, subjectBytesMax, verifiedTokensMax } from "./limits.ts";
import { hasOperators, isOperator, noOperators, type OperatorRule } from "./operator-rule.ts";
import { type Identity, identityOf, type TokenVerifier } from "./token-verifier.ts";

interface OidcOptions {
  /** Compared exactly: some issuers end in a slash. */
  readonly issuer: string;
  /** One of these must be in `aud`. Empty: not checked. */
  readonly audiences: readonly string[];
  readonly jwksUri?: string;
  /** Default: no user is an operator. */
  readonly operators?: OperatorRule;
  /** Claims that may hold a person's name, the best first. Default none. */
  readonly nameClaims?: readonly string[];
  readonly fetch?: Fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Public-key signatures only, all that jose 6 knows: no HS (a public key would be the secret), no `none`. */
const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"],
  ...["Ed25519", "EdDSA", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87"],
];

export function oidcVerifier(options: OidcOptions): TokenVerifier {
  const { issuer, audiences, jwksUri, operators = noOperators, fetch: get = fetch, now = Date.now } = options;
  const { nameClaims = [] } = options;
  const names = new KnownNames();
  const verified = new VerifiedTokens();
  const keys = new IssuerKeys({
    issuer,
    ...(jwksUri === undefined ? {} : { jwksUri }),
    fetch: get,
    now,
    onChange: () => verified.clear(),
  });

  const check = async (token: string): Promise<Identity> => {
    checkForm(token, issuer);
    keys.refreshWhenOld();
    const { generation } = verified;
    const payload = await signedPayload(token, keys, {
      issuer,
      ...(audiences.length === 0 ? {} : { audience: [...audiences] }),
      algorithms,
      clockTolerance: leewaySec,
      currentDate: new Date(now()),
      requiredClaims: ["exp"],
    });
    const name = nameIn(payload, nameClaims);
    const identity = { ...identityOf(subjectOf(payload), isOperator(payload, operators)), name };
    names.note(identity.userHash, name);
    const expiresAtMs = ((payload.exp ?? 0) + leewaySec) * 1000;
    verified.keep(token, { identity, expiresAtMs }, generation);
    return identity;
  };

  return {
    needsToken: true,
    names,
    hasOperators: hasOperators(operators),
    verify: async (token) => {
      const known = verified.find(token);
      if (known === undefined || now() >= known.expiresAtMs) {
        return check(token);
      }
      keys.refreshWhenOld();
      return known.identity;
    },
    checkIssuer: () => keys.check(),
  };
}

/** Throws Failure `auth` for a token that no key could make valid. */
function checkForm(token: string, issuer: string): void {
  const header = decoded("Invalid token header", () => decodeProtectedHeader(token));
  if (typeof header.kid !== "string") {
    throw new Failure("auth", "missing_key_id", "Token missing kid claim");
  }
  if (header.alg === undefined || !algorithms.includes(header.alg)) {
    throw new Failure("auth", "unsupported_algorithm", unsupported(header.alg));
  }
  const payload = decoded("Invalid token", () => decodeJwt(token));
  if (payload.iss !== issuer) {
    throw new Failure(
      "auth",
      "wrong_issuer",
      `Invalid token: its issuer is ${shown(payload.iss)}, not "${issuer}"`,
    );
  }
  subjectOf(payload);
}

function decoded<Part>(place: string, decode: () => Part): Part {
  try {
    return decode();
  } catch (cause) {
    const reason = systemReason(cause);
    throw new Failure("auth", "malformed_token", `${place}: ${reason}`, { cause });
  }
}

/** A token without a signature gets no advice. */
function unsupported(algorithm: unknown): string {
  const given = typeof algorithm === "string" ? algorithm.slice(0, 20) : "none given";
  const advice = /^none/.test(given) ? "" : `; the identity provider can sign by ${algorithms.join(", ")}`;
  return `Unsupported algorithm: ${given}${advice}`;
}

/** A token's unverified claims: quoted, cut, and without unprintable characters. */
function shown(claim: unknown): string {
  return claim === undefined ? "not given" : JSON.stringify(claim).slice(0, shownClaimCharsMax);
}

function subjectOf({ sub }: JWTPayload): string {
  if (typeof sub !== "string" || sub === "" || Buffer.byteLength(sub) > subjectBytesMax) {
    throw new Failure(
      "auth",
      "missing_subject",
      `Invalid token: its sub must be a text of 1 to ${subjectBytesMax} bytes`,
    );
  }
  return sub;
}

async function signedPayload(
  token: string,
  keys: IssuerKeys,
  rules: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, (header, parts) => keys.find(header, parts), rules);
    return payload;
  } catch (error) {
    throw isFailure(error, "auth") ? error : authError(error);
  }
}

function authError(cause: unknown): Failure<"auth"> {
  if (cause instanceof errors.JWTExpired) {
    return new Failure("auth", "expired_token", "Invalid token: it has expired; log in again", { cause });
  }
  if (cause instanceof errors.JWTClaimValidationFailed) {
    return claimError(cause);
  }
  if (cause instanceof errors.JWSSignatureVerificationFailed) {
    return new Failure("auth", "invalid_signature", "Invalid token: its signature does not fit", { cause });
  }
  if (cause instanceof errors.JOSEError) {
    return new Failure("auth", "malformed_token", `Invalid token: ${cause.message}`, { cause });
  }
  // The set has the key, but it does not fit the algorithm that the token names.
  return new Failure("auth", "invalid_signature", "Invalid token: its signature cannot be checked", {
    cause,
  });
}

function claimError(cause: errors.JWTClaimValidationFailed): Failure<"auth"> {
  switch (cause.claim) {
    case "aud":
      return new Failure("auth", "wrong_audience", "Invalid token: it is meant for another audience", {
        cause,
      });
    case "iss":
      return new Failure("auth", "wrong_issuer", "Invalid token: another issuer made it", { cause });
    case "nbf":
      return new Failure(
        "auth",
        "token_not_yet_valid",
        "Invalid token: it is not valid yet, so the clocks of issuer and gateway differ",
        {
          cause,
        },
      );
    default:
      return new Failure("auth", "malformed_token", `Invalid token: ${cause.message}`, { cause });
  }
}

/** Cache of valid tokens, so that each is checked once; bounded, the oldest is evicted. */
interface VerifiedToken {
  readonly identity: Identity;
  readonly expiresAtMs: number;
}

class VerifiedTokens {
  readonly #tokens = new Map<string, VerifiedToken>();
  #generation = 0;

  /** Changes when the tokens are forgotten. */
  get generation(): number {
    return this.#generation;
  }

  find(token: string): VerifiedToken | undefined {
    return this.#tokens.get(token);
  }

  /** Stores nothing when the cache was cleared since `generation`: the token's key may be gone. */
  keep(token: string, verified: VerifiedToken, generation: number): void {
    if (generation !== this.#generation) {
      return;
    }
    if (this.#tokens.size >= verifiedTokensMax) {
      const [oldest = ""] = this.#tokens.keys();
      this.#tokens.delete(oldest);
    }
    this.#tokens.set(token, verified);
  }

  clear(): void {
    this.#generation++;
    this.#tokens.clear();
  }
}
