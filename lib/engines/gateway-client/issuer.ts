/** The identity provider: device login (RFC 8628), renewal and revocation of tokens, by `openid-client`. */
import {
  allowInsecureRequests,
  type Configuration,
  discovery,
  initiateDeviceAuthorization,
  None,
  pollDeviceAuthorizationGrant,
  ResponseBodyError,
  refreshTokenGrant,
  type TokenEndpointResponse,
  tokenRevocation,
} from "openid-client";
import { systemReason } from "../../base/failure/system-reason.ts";
import { visible } from "../../base/terminal/foreign-text.ts";
import { clientSide, type GatewayError } from "./gateway-error.ts";
import { issuerAnswerS, loginPollMsMax } from "./limits.ts";
import type { Profile, Tokens } from "./profile.ts";

/** What the user does, on any device. */
export interface DevicePrompt {
  readonly url: string;
  /** With the code in it; null when the issuer gives none. */
  readonly completeUrl: string | null;
  readonly userCode: string;
  readonly expiresInS: number;
}

type Client = Pick<Profile, "issuer" | "client_id" | "audience" | "scopes">;

export class Issuer {
  readonly #configuration: Configuration;
  readonly #client: Client;

  private constructor(configuration: Configuration, client: Client) {
    this.#configuration = configuration;
    this.#client = client;
  }

  /** Rejects with GatewayError `loginFailed`. */
  static async discover(client: Client): Promise<Issuer> {
    const url = new URL(client.issuer);
    const options = {
      timeout: issuerAnswerS,
      // A development issuer has no certificate; its http: address shows that.
      ...(url.protocol === "http:" ? { execute: [allowInsecureRequests] } : {}),
    };
    try {
      const configuration = await discovery(url, client.client_id, undefined, None(), options);
      return new Issuer(configuration, client);
    } catch (error) {
      throw failed(`Cannot get your identity from ${client.issuer}`, error);
    }
  }

  /** Shows the prompt, then waits until the user has followed it. Rejects with GatewayError, or the signal's reason. */
  async login(show: (prompt: DevicePrompt) => void, signal: AbortSignal): Promise<Tokens> {
    try {
      const device = await initiateDeviceAuthorization(this.#configuration, this.#parameters());
      show({
        url: device.verification_uri,
        completeUrl: device.verification_uri_complete ?? null,
        userCode: device.user_code,
        expiresInS: device.expires_in,
      });
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(device.expires_in * 1000)]);
      return tokensOf(await Promise.race([this.#poll(device, deadline), abortOf(signal)]), null);
    } catch (error) {
      signal.throwIfAborted();
      throw failed("Cannot log in", error);
    }
  }

  /** The renewed tokens. Rejects with GatewayError `loginFailed`; `notLoggedIn` when the login has ended. */
  async renew(refreshToken: string): Promise<Tokens> {
    try {
      return tokensOf(await refreshTokenGrant(this.#configuration, refreshToken), refreshToken);
    } catch (error) {
      if (error instanceof ResponseBodyError && error.error === "invalid_grant") {
        throw clientSide("notLoggedIn", "The login has ended at the issuer", error);
      }
      throw failed("Cannot renew the login", error);
    }
  }

  /** Revokes a refresh token where the issuer supports it. Rejects with GatewayError. */
  async revoke(refreshToken: string): Promise<void> {
    if (this.#configuration.serverMetadata().revocation_endpoint === undefined) {
      return;
    }
    try {
      await tokenRevocation(this.#configuration, refreshToken, { token_type_hint: "refresh_token" });
    } catch (error) {
      throw failed("Cannot end the login at the issuer", error);
    }
  }

  /** While the issuer cannot be reached, requests become less and less frequent (RFC 8628 s.3.5). */
  async #poll(device: Awaited<ReturnType<typeof initiateDeviceAuthorization>>, signal: AbortSignal) {
    let interval = device.interval ?? 5;
    for (;;) {
      try {
        const parameters = this.#resource();
        return await pollDeviceAuthorizationGrant(this.#configuration, { ...device, interval }, parameters, {
          signal,
        });
      } catch (error) {
        if (signal.aborted || !isNetworkFailure(error)) {
          throw error;
        }
        interval = Math.min(2 * interval, loginPollMsMax / 1000);
      }
    }
  }

  #parameters(): Record<string, string> {
    const { scopes, audience } = this.#client;
    return {
      scope: scopes.join(" "),
      // Offline access is only granted after asking the user for consent (OpenID Connect Core s.11).
      ...(scopes.includes("offline_access") ? { prompt: "consent" } : {}),
      ...(audience === null ? {} : { audience }),
      ...this.#resource(),
    };
  }

  /** Some issuers name the audience `audience`, others by RFC 8707, where it is an address. */
  #resource(): Record<string, string> {
    const { audience } = this.#client;
    return audience !== null && URL.canParse(audience) ? { resource: audience } : {};
  }
}

/** Rejects at once: the library checks its signal only every 5 s. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Without a new refresh token in the answer, the old one stays valid (RFC 6749 s.6). */
function tokensOf(answer: TokenEndpointResponse, refreshToken: string | null): Tokens {
  const lifetimeS = answer.expires_in ?? 3600;
  return {
    access_token: answer.access_token,
    refresh_token: answer.refresh_token ?? refreshToken,
    expires_at: Math.floor(Date.now() / 1000) + lifetimeS,
  };
}

/** A failed fetch is a TypeError; a timeout has one of the library's codes. */
function isNetworkFailure(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "OAUTH_TIMEOUT" || (error instanceof Error && !code.startsWith("OAUTH_") && code !== "");
}

const reasons: Readonly<Record<string, string>> = {
  access_denied: "it was refused",
  expired_token: "the code has expired; start again",
  OAUTH_TIMEOUT: "the code has expired, or the issuer does not answer; start again",
  invalid_client: "this program (client_id) is unknown to the issuer; report it to the gateway's operator",
  unauthorized_client:
    "the issuer does not allow this program to log in by device code; report it to the gateway's operator",
};

function failed(what: string, error: unknown): GatewayError {
  if (error instanceof ResponseBodyError) {
    const description = error.error_description === undefined ? "" : ` (${error.error_description})`;
    return clientSide(
      "loginFailed",
      visible(`${what}: ${reasons[error.error] ?? `${error.error}${description}`}`),
      error,
    );
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return clientSide("loginFailed", `${what}: ${reasons[code] ?? systemReason(error)}`, error);
}
