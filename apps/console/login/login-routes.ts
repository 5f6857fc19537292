/** `/console/login`, `/console/callback`, `/console/logout`: from a browser to the issuer, and back with a session. */
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { randomNonce, randomPKCECodeVerifier, randomState } from "openid-client";
import * as v from "valibot";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { Problem, problem } from "../../../lib/engines/http/problem.ts";
import { consoleFiles } from "../frame/files.ts";
import { pageHeaders } from "../frame/headers.ts";
import { codesAtOnceMax } from "../limits.ts";
import { cookieOf, giveCookie, takeCookie } from "./cookies.ts";
import { checkCsrf } from "./csrf.ts";
import type { IssuerLogin, LoginAttempt } from "./issuer-login.ts";
import { checkLoginPossible, originOf } from "./origin.ts";
import { returnPath } from "./return-path.ts";
import { readSecret } from "./session-secret.ts";
import type { SessionTokens } from "./session-store.ts";
import { issuerAway, type SessionParts, type Sessions } from "./sessions.ts";

const attemptSchema = v.object({
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  to: v.string(),
});

interface LoginParts extends SessionParts {
  readonly sessions: Sessions;
}

export function loginRoutes(parts: LoginParts): Hono<HttpEnv> {
  const { baseUrl } = parts;
  const redeem = redeemer(parts);
  const app = new Hono<HttpEnv>();

  app.get("/console/login", async (c) => {
    const issuer = issuerOf(parts);
    const origin = originOf(c.req.url, baseUrl);
    checkLoginPossible(origin);
    const attempt: LoginAttempt = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      to: returnPath(c.req.query("to") ?? null),
    };
    const address = await issuer.address(attempt, callbackOf(origin.url)).catch((error: unknown) => {
      throw issuerAway(error);
    });
    giveCookie(c, "login", origin.isSecure, Buffer.from(JSON.stringify(attempt)).toString("base64url"));
    c.header("cache-control", "no-store");
    return c.redirect(address.href, 302);
  });

  app.get("/console/callback", async (c) => {
    const { url, isSecure } = originOf(c.req.url, baseUrl);
    const attempt = attemptOf(cookieOf(c, "login", isSecure));
    takeCookie(c, "login", isSecure);
    const answer = new URL(`${callbackOf(url)}${new URL(c.req.url).search}`);
    const tokens = await redeem(answer, attempt);
    const { userHash } = await identify(parts, tokens);
    const before = readSecret(cookieOf(c, "session", isSecure) ?? "");
    if (before !== null) {
      await parts.store.end(before);
    }
    giveCookie(c, "session", isSecure, (await parts.store.begin(userHash, tokens)).text);
    return comeIn(c, attempt.to);
  });

  app.post("/console/logout", async (c) => {
    const visitor = await parts.sessions.visitor(c);
    checkCsrf(c, visitor);
    if (visitor.secret !== null) {
      const kept = await parts.store.read(visitor.secret);
      await parts.store.end(visitor.secret);
      await endAtIssuer(parts, kept);
    }
    takeCookie(c, "session", originOf(c.req.url, baseUrl).isSecure);
    return c.json({ logged_out: true });
  });
  return app;
}

function issuerOf({ issuer }: LoginParts): IssuerLogin {
  if (issuer === null) {
    throw problem(
      404,
      "no_identity_provider",
      "Logins are not set up here: the operator must set oidc.issuer",
    );
  }
  return issuer;
}

const callbackOf = (origin: string) => `${origin}/console/callback`;

/** Throws Problem 400 for a browser without a recent login attempt here. */
function attemptOf(cookie: string | null): LoginAttempt {
  const text = Buffer.from(cookie ?? "", "base64url").toString("utf8");
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), attemptSchema), text);
  if (!read.success) {
    throw problem(
      400,
      "unknown_login",
      "This login did not begin in this browser, or too long ago: open /console and log in again",
    );
  }
  return { ...read.output, to: returnPath(read.output.to) };
}

/** Few concurrently, because anyone can make up codes. */
function redeemer(parts: LoginParts): (answer: URL, attempt: LoginAttempt) => Promise<SessionTokens> {
  let running = 0;
  return async (answer, attempt) => {
    if (running >= codesAtOnceMax) {
      const message = "Too many people log in at this moment; try again";
      throw new Problem({ status: 503, code: "too_many_logins", message, headers: { "retry-after": "2" } });
    }
    running++;
    try {
      return await issuerOf(parts).redeem(answer, attempt);
    } catch (cause) {
      const reason = systemReason(cause);
      parts.log.warn("A login failed", { reason });
      const message = "The identity provider did not confirm this login: open /console and log in again";
      throw cause instanceof Problem
        ? cause
        : new Problem({ status: 400, code: "login_refused", message, cause });
    } finally {
      running--;
    }
  };
}

/** Throws Problem 403 for a token that the API would refuse, such as one with another audience. */
async function identify({ tokens, log }: LoginParts, { access }: SessionTokens) {
  try {
    return await tokens.verify(access);
  } catch (error) {
    if (!isFailure(error, "auth") || error.code === "issuer_unavailable") {
      throw error;
    }
    log.warn("The issuer gives the console tokens that the API refuses", { code: error.code });
    const message = `This gateway does not accept your login: ${error.message}`;
    throw new Problem({ status: 403, code: error.code, message, cause: error });
  }
}

/**
 * A page that navigates by itself. A redirect would not work: the browser would still treat it as the issuer's
 * navigation, with which no strict cookie is sent.
 */
async function comeIn(c: Context<HttpEnv>, to: string): Promise<Response> {
  const { icon } = await consoleFiles();
  return c.html(
    html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="${`0;url=${to}`}">
<link rel="icon" href="/console/files/${icon.name}"><title>Logged in</title></head>
<body><main><h1>Logged in</h1><p><a href="${to}">Continue</a></p></main></body></html>`,
    200,
    pageHeaders,
  );
}

/** The session has ended here, whatever the issuer's response. */
async function endAtIssuer({ issuer, log }: LoginParts, kept: SessionTokens | null): Promise<void> {
  try {
    await (kept?.refresh == null ? undefined : issuer?.revoke(kept.refresh));
  } catch (error) {
    log.warn("Cannot end a login at the issuer; it ends by itself", { reason: systemReason(error) });
  }
}
