/**
 * Logs people in at the issuer: authorisation code with PKCE (RFC 6749, RFC 7636), by `openid-client`; renews and ends
 * their tokens.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  None,
  ResponseBodyError,
  refreshTokenGrant,
  type TokenEndpointResponse,
  tokenRevocation,
} from "openid-client";
import { loginScopes } from "../../../lib/engines/gateway-client/login-parameters.ts";
import { sharedAnswer } from "../../../lib/engines/http/shared-answer.ts";
import { issuerFreshMs, issuerWaitSec } from "../limits.ts";
import type { SessionTokens } from "./session-store.ts";

export interface IssuerClient {
  readonly issuer: string;
  readonly clientId: string;
  /** Null = a public client: PKCE alone. */
  readonly clientSecret: string | null;
  /** Required audience of tokens; null = unspecified. */
  readonly audience: string | null;
}

/** A browser's state of a login attempt, from the redirect to the issuer until its return. */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** See returnPath. */
  readonly to: string;
}

export class IssuerLogin {
  readonly #client: IssuerClient;
  readonly #configuration: () => Promise<Configuration>;

  constructor(client: IssuerClient) {
    this.#client = client;
    this.#configuration = sharedAnswer(issuerFreshMs, () => this.#discover());
  }

  /** The issuer's URL for the redirect. Rejects when the issuer does not respond. */
  async address(attempt: LoginAttempt, redirectUri: string): Promise<URL> {
    return buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: redirectUri,
      scope: loginScopes.join(" "),
      // Offline access requires the user's consent (OpenID Connect Core s.11).
      prompt: "consent",
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: "S256",
      ...this.#audience(),
    });
  }

  /** `answer`: the redirect URI with the issuer's parameters. Rejects when it does not belong to the attempt. */
  async redeem(answer: URL, { state, nonce, verifier }: LoginAttempt): Promise<SessionTokens> {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
    return tokensOf(await authorizationCodeGrant(await this.#configuration(), answer, checks), null);
  }

  /** Null = the login has ended at the issuer. Rejects when it does not respond. */
  async renew(refreshToken: string): Promise<SessionTokens | null> {
    try {
      return tokensOf(await refreshTokenGrant(await this.#configuration(), refreshToken), refreshToken);
    } catch (error) {
      if (error instanceof ResponseBodyError && error.error === "invalid_grant") {
        return null;
      }
      throw error;
    }
  }

  /** Rejects when the issuer refuses or does not respond. */
  async revoke(refreshToken: string): Promise<void> {
    const configuration = await this.#configuration();
    if (configuration.serverMetadata().revocation_endpoint !== undefined) {
      await tokenRevocation(configuration, refreshToken, { token_type_hint: "refresh_token" });
    }
  }

  /** Some issuers use the parameter `audience`, others RFC 8707's, for which it must be a URI. */
  #audience(): Record<string, string> {
    const { audience } = this.#client;
    return audience === null ? {} : { audience, ...(URL.canParse(audience) ? { resource: audience } : {}) };
  }

  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#client;
    const url = new URL(issuer);
    const authentication = clientSecret === null ? None() : ClientSecretPost(clientSecret);
    return discovery(url, clientId, undefined, authentication, {
      timeout: issuerWaitSec,
      // A development issuer has no certificate, and so an http: address.
      ...(url.protocol === "http:" ? { execute: [allowInsecureRequests] } : {}),
    });
  }
}

/** Without a new refresh token in the response, the old one stays valid. */
function tokensOf(answer: TokenEndpointResponse, refreshToken: string | null): SessionTokens {
  return {
    access: answer.access_token,
    refresh: answer.refresh_token ?? refreshToken,
    expiresAtMs: Date.now() + (answer.expires_in ?? 3600) * 1000,
  };
}
