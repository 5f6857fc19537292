/**
 * The token of a profile, renewed when it is about to end.
 *
 * Issuers may issue a new refresh token with each renewal and treat a second use of the old one as theft, which ends
 * the login. So one process renews at a time, under a lock, and processes that waited read the stored result.
 */
import { clientSide, GatewayError } from "./gateway-error.ts";
import { Issuer } from "./issuer.ts";
import { renewEarlyMs } from "./limits.ts";
import type { Profile, Tokens } from "./profile.ts";
import type { Profiles } from "./profiles.ts";
import type { TokenSource } from "./token-source.ts";

export class StoredToken implements TokenSource {
  readonly #profiles: Profiles;
  readonly #name: string;
  readonly #now: () => number;

  /** `now` is in milliseconds since the epoch. */
  constructor(profiles: Profiles, name: string, now: () => number = Date.now) {
    this.#profiles = profiles;
    this.#name = name;
    this.#now = now;
  }

  async token(): Promise<string> {
    const { tokens } = this.#profile();
    if (tokens !== null && this.#isGood(tokens)) {
      return tokens.access_token;
    }
    try {
      return await this.#renew((found) => this.#isGood(found));
    } catch (error) {
      // A brief outage of the issuer must not stop what the old token still allows.
      const isLeft = tokens !== null && tokens.expires_at * 1000 > this.#now();
      if (isLeft && error instanceof GatewayError && error.code === "loginFailed") {
        return tokens.access_token;
      }
      throw error;
    }
  }

  async renewed(refused: string): Promise<string | null> {
    const { tokens } = this.#profile();
    if (tokens === null || tokens.refresh_token === null) {
      return null;
    }
    return await this.#renew(({ access_token }) => access_token !== refused);
  }

  /** `isEnough`: whether another process has renewed the tokens while this one waited for the lock. */
  async #renew(isEnough: (tokens: Tokens) => boolean): Promise<string> {
    using _lock = await this.#profiles.lock(this.#name);
    const profile = this.#profile();
    if (profile.tokens !== null && isEnough(profile.tokens)) {
      return profile.tokens.access_token;
    }
    const refreshToken = profile.tokens?.refresh_token ?? null;
    if (refreshToken === null) {
      throw this.#ended(profile);
    }
    const tokens = await this.#next(profile, refreshToken);
    this.#profiles.write(this.#name, { ...profile, tokens });
    return tokens.access_token;
  }

  async #next(profile: Profile, refreshToken: string): Promise<Tokens> {
    const issuer = await Issuer.discover(profile);
    try {
      return await issuer.renew(refreshToken);
    } catch (error) {
      if (error instanceof GatewayError && error.code === "notLoggedIn") {
        this.#profiles.write(this.#name, { ...profile, tokens: null });
        throw this.#ended(profile);
      }
      throw error;
    }
  }

  #isGood({ expires_at }: Tokens): boolean {
    return expires_at * 1000 - renewEarlyMs > this.#now();
  }

  #profile(): Profile {
    const profile = this.#profiles.read(this.#name);
    if (profile === null) {
      throw clientSide("notLoggedIn", `There is no login "${this.#name}" any more`);
    }
    return profile;
  }

  #ended({ gateway, tokens }: Profile): Error {
    return clientSide(
      "notLoggedIn",
      tokens === null ? `Not logged in at ${gateway}` : `The login at ${gateway} has ended`,
    );
  }
}
