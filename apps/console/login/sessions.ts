/** Resolves a session's cookie to a visitor with a token that stays valid for a while. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "hono";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import type { TokenVerifier } from "../../../lib/engines/auth/token-verifier.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { authProblem } from "../../../lib/engines/http/failure-problem.ts";
import { Problem, problem } from "../../../lib/engines/http/problem.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { renewBeforeMs, renewingMs } from "../limits.ts";
import type { Person } from "../page.ts";
import { cookieOf } from "./cookies.ts";
import type { IssuerLogin } from "./issuer-login.ts";
import { originOf } from "./origin.ts";
import { makeSecret, readSecret, type SessionSecret } from "./session-secret.ts";
import type { SessionStore, SessionTokens } from "./session-store.ts";

export interface Visitor {
  /** Null = not logged in. */
  readonly person: Person | null;
  /** For the API; null = none is needed, or not logged in. */
  readonly token: string | null;
  /** CSRF token of requests that change something; null = not logged in. */
  readonly csrf: string | null;
  /** Null = without a session. */
  readonly secret: SessionSecret | null;
}

export interface SessionParts {
  readonly tokens: TokenVerifier;
  readonly store: SessionStore;
  /** Null = no issuer is configured, or no login is needed. */
  readonly issuer: IssuerLogin | null;
  readonly baseUrl: string | null;
  readonly log: Logger;
}

const stranger: Visitor = { person: null, token: null, csrf: null, secret: null };

/** How often a page checks whether another request has renewed the tokens. */
const renewalLookMs = 100;

export class Sessions {
  readonly #parts: SessionParts;
  /** CSRF token when everyone is the same user and there is no cookie to derive it from. */
  readonly #commonCsrf = makeSecret().csrf;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Throws Problem 503 while the issuer or its keys are unavailable. */
  async visitor(c: Context<HttpEnv>): Promise<Visitor> {
    const { tokens, store, issuer, baseUrl } = this.#parts;
    if (!tokens.needsToken) {
      return { ...stranger, person: await tokens.verify(""), csrf: this.#commonCsrf };
    }
    const { isSecure } = originOf(c.req.url, baseUrl);
    const secret = readSecret(cookieOf(c, "session", isSecure) ?? "");
    const kept = secret === null || issuer === null ? null : await store.read(secret);
    if (secret === null || issuer === null || kept === null) {
      return stranger;
    }
    const good = await this.#good(secret, kept, issuer);
    const person = good === null ? null : await this.#personOf(good.access);
    if (good === null || person === null) {
      await store.end(secret);
      return stranger;
    }
    return { person, token: good.access, csrf: secret.csrf, secret };
  }

  /** Throws Problem 401 once the visitor's session has ended. */
  async checkLive({ secret }: Visitor): Promise<void> {
    if (secret !== null && !(await this.#parts.store.isLive(secret))) {
      throw problem(401, "session_ended", "Your session has ended: log in again");
    }
  }

  /** Null = the tokens have ended, and cannot be renewed. */
  async #good(
    secret: SessionSecret,
    kept: SessionTokens,
    issuer: IssuerLogin,
  ): Promise<SessionTokens | null> {
    const leftMs = kept.expiresAtMs - Date.now();
    if (leftMs > renewBeforeMs) {
      return kept;
    }
    if (kept.refresh === null) {
      return leftMs > 0 ? kept : null;
    }
    const claimed = await this.#parts.store.claimRenewal(secret);
    if (claimed === null) {
      return await this.#renewedByOther(secret, kept);
    }
    if (claimed.access !== kept.access) {
      // Renewed since they were read, so the refresh token read with them is no longer valid.
      await this.#parts.store.endRenewal(secret, null);
      return claimed;
    }
    return await this.#renew(secret, kept.refresh, issuer);
  }

  async #renew(secret: SessionSecret, refresh: string, issuer: IssuerLogin): Promise<SessionTokens | null> {
    let renewed: SessionTokens | null = null;
    try {
      renewed = await issuer.renew(refresh);
      return renewed;
    } catch (cause) {
      throw issuerAway(cause);
    } finally {
      await this.#parts.store.endRenewal(secret, renewed);
    }
  }

  async #renewedByOther(secret: SessionSecret, old: SessionTokens): Promise<SessionTokens | null> {
    const untilMs = Date.now() + renewingMs;
    while (Date.now() < untilMs) {
      await sleep(renewalLookMs);
      const now = await this.#parts.store.read(secret);
      if (now === null || now.access !== old.access) {
        return now;
      }
    }
    throw issuerAway(new Error("Another request renews the tokens, and does not end"));
  }

  /** Null for an invalid or expired token. */
  async #personOf(token: string): Promise<Person | null> {
    try {
      return await this.#parts.tokens.verify(token);
    } catch (error) {
      if (!isFailure(error, "auth")) {
        throw error;
      }
      if (error.code === "issuer_unavailable") {
        throw authProblem(error);
      }
      this.#parts.log.warn("A session of the console has ended", { reason: systemReason(error) });
      return null;
    }
  }
}

export function issuerAway(cause: unknown): Problem {
  const message = "The identity provider does not answer; try again in a moment";
  return new Problem({ status: 503, code: "issuer_unavailable", message, cause });
}
