/** People in a browser: they log in with the issuer, hold a session, and nobody else does anything with it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sessionsPerUserMax } from "../../../apps/console/limits.ts";
import { readSecret, unseal } from "../../../apps/console/login/session-secret.ts";
import { SessionStore } from "../../../apps/console/login/session-store.ts";
import { userHashOf } from "../../../lib/engines/auth/token-verifier.ts";
import type { RunningServer } from "../../../lib/engines/http/serve.ts";
import { Browser } from "../../issuer/browser.ts";
import { ConsoleHome, logIn, operator } from "./console-home.ts";

let home: ConsoleHome;
let west: RunningServer;
let east: RunningServer;

beforeAll(async () => {
  home = await ConsoleHome.start();
  west = home.serve();
  east = home.serve();
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
});

async function loggedIn(name: string): Promise<Browser> {
  const browser = new Browser();
  const page = await logIn(browser, west.url, name);
  expect(page.text).toContain("0;url=/console");
  return browser;
}

function cookieOf(browser: Browser): string {
  return browser.cookie("vantage-session") ?? "";
}

/** A request with this session's cookie, and nothing else of a browser. */
function ask(server: RunningServer, session: string, path: string, init: RequestInit = {}) {
  const headers = { cookie: `vantage-session=${session}`, ...init.headers };
  return fetch(new URL(path, server.url), { ...init, headers, redirect: "manual" });
}

async function isLoggedIn(server: RunningServer, session: string): Promise<boolean> {
  return (await (await ask(server, session, "/console")).text()).includes("Log out");
}

async function csrfOf(session: string): Promise<string> {
  const text = await (await ask(west, session, "/console")).text();
  return /<meta name="csrf" content="([^"]+)"/.exec(text)?.[1] ?? "";
}

describe("a login", () => {
  test("gives a session that lasts at every gateway of the database, and leads back to where it began", async () => {
    const browser = new Browser();
    const page = await logIn(browser, west.url, "ada", "/console?agent=west");
    expect(page.text).toContain('content="0;url=/console?agent=west"');
    const session = cookieOf(browser);
    expect(session).toMatch(/^[\w-]{43}$/);
    expect(await isLoggedIn(west, session)).toBe(true);
    expect(await isLoggedIn(east, session)).toBe(true);
    const text = await (await ask(east, session, "/console")).text();
    expect(text).toContain(userHashOf("ada"));
    // A token of the issuer begins so.
    expect(text).not.toContain("eyJ");
  });

  test("gives cookies that no script reads, and no other site's page sends", async () => {
    const begun = await fetch(new URL("/console/login", west.url), { redirect: "manual" });
    expect(begun.headers.get("set-cookie")).toMatch(/^vantage-login=.*; HttpOnly; SameSite=Lax$/);
    const browser = await loggedIn("ada");
    expect(browser.setCookies.findLast((one) => one.startsWith("vantage-session="))).toMatch(
      /; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test("by TLS, the cookies are for that only, and for this host only", async () => {
    await using secure = await ConsoleHome.start();
    Object.assign(secure.gateway.services.config, { baseUrl: "https://gateway.example" });
    const begun = await fetch(new URL("/console/login", secure.serve().url), { redirect: "manual" });
    expect(begun.headers.get("set-cookie")).toMatch(/^__Host-vantage-login=.*; Path=\/; HttpOnly; Secure; /);
    const address = new URL(begun.headers.get("location") ?? "");
    expect(address.searchParams.get("redirect_uri")).toBe("https://gateway.example/console/callback");
    expect(address.searchParams.get("code_challenge_method")).toBe("S256");
  });

  test("by http:// from elsewhere than this machine is refused before anything is on the way", async () => {
    const answer = await fetch(new URL("/console/login", west.url), { headers: { host: "gateway.example" } });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: "no_tls" });
  });

  test("ends everywhere when its person logs out, and its tokens end at the issuer", async () => {
    const session = cookieOf(await loggedIn("ada"));
    const csrf = await csrfOf(session);
    const answer = await ask(west, session, "/console/logout", {
      method: "POST",
      headers: { "x-csrf": csrf },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await isLoggedIn(west, session)).toBe(false);
    expect(await isLoggedIn(east, session)).toBe(false);
  });

  test("ends after hours without a look, and after half a day with", async () => {
    const { sql } = home.gateway.services.database;
    for (const [column, interval] of [
      ["seen_at", "-3 hours"],
      ["ends_at", "-1 second"],
    ] as const) {
      const session = cookieOf(await loggedIn("ada"));
      await sql`UPDATE console_sessions SET ${sql(column)} = now() + ${interval}::interval`;
      expect(await isLoggedIn(west, session)).toBe(false);
    }
  });

  test("beyond the last that a person may have ends the oldest", async () => {
    const store = new SessionStore(home.gateway.services.database);
    const tokens = { access: "a", refresh: null, expiresAtMs: Date.now() + 3_600_000 };
    const first = await store.begin("many", tokens);
    for (let i = 0; i < sessionsPerUserMax; i++) {
      await store.begin("many", tokens);
    }
    const { sql } = home.gateway.services.database;
    const [row] = await sql`SELECT count(*)::int AS count FROM console_sessions WHERE user_hash = 'many'`;
    expect(row?.count).toBe(sessionsPerUserMax);
    expect(await store.read(first)).toBeNull();
  });

  test("is renewed once, however many requests come at that moment at both gateways", async () => {
    const session = cookieOf(await loggedIn("ada"));
    const store = new SessionStore(home.gateway.services.database);
    const secret = readSecret(session) ?? raise();
    const kept = (await store.read(secret)) ?? raise();
    await store.endRenewal(secret, { ...kept, expiresAtMs: 0 });
    const looks = Array.from({ length: 8 }, (_, i) => isLoggedIn(i % 2 === 0 ? west : east, session));
    expect(await Promise.all(looks)).toEqual(looks.map(() => true));
    const renewed = await store.read(secret);
    expect(renewed?.access).not.toBe(kept.access);
    // Who has read the old tokens and comes late is given the new ones with the claim.
    expect((await store.claimRenewal(secret))?.access).toBe(renewed?.access);
    await store.endRenewal(secret, null);
    expect(renewed?.expiresAtMs).toBeGreaterThan(Date.now());
  });

  test("without a refresh token ends with its access token", async () => {
    const session = cookieOf(await loggedIn("ada"));
    const store = new SessionStore(home.gateway.services.database);
    const secret = readSecret(session) ?? raise();
    const kept = (await store.read(secret)) ?? raise();
    await store.endRenewal(secret, { ...kept, refresh: null, expiresAtMs: 0 });
    expect(await isLoggedIn(west, session)).toBe(false);
    expect(await store.read(secret)).toBeNull();
  });
});

describe("rights are those of the API", () => {
  test("an operator's session opens /admin, another user's does not, and nobody's opens nothing", async () => {
    const path = "/console/call/admin/agents";
    const answers = [cookieOf(await loggedIn(operator)), cookieOf(await loggedIn("ada")), "x"].map(
      (session) => ask(west, session, path),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 403, 401]);
  });

  test("a page names what is missing once, and no code of it: a login, or an operator's rights", async () => {
    const page = async (session: string, path: string) => {
      const html = await (await ask(west, session, path)).text();
      return [/<h1[^>]*>([^<]*)</.exec(html)?.[1], html.includes("Log in first"), /missing_auth/.test(html)];
    };
    expect(await page("x", "/console/campaigns")).toEqual(["Please log in", false, false]);
    const ada = cookieOf(await loggedIn("ada"));
    expect(await page(ada, "/console/operators")).toEqual(["Operators only", false, false]);
  });

  test("a user's session sees the user's own account", async () => {
    const answer = await ask(west, cookieOf(await loggedIn("ada")), "/console/call/api/user/me");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toMatchObject({ limit: 10_000, used: 0 });
  });

  test.each(["/console/call/console/logout", "/console/call/metrics", "/console/call//evil.example/api/x"])(
    "%s is not a part of the API",
    async (path) => {
      expect((await ask(west, cookieOf(await loggedIn("ada")), path)).status).toBe(404);
    },
  );
});

describe("attacks", () => {
  test("CSRF: another page's request changes nothing, with the victim's cookie and all", async () => {
    const session = cookieOf(await loggedIn(operator));
    const path = "/console/call/admin/blocklist";
    const body = JSON.stringify({ prefix: "203.0.113.0/24", reason: "test" });
    const other = await csrfOf(cookieOf(await loggedIn("ada")));
    const type = { "content-type": "application/json" };
    for (const headers of [
      type,
      { ...type, "x-csrf": other },
      { "content-type": "text/plain", "x-csrf": "" },
    ]) {
      const answer = await ask(west, session, path, { method: "POST", headers, body });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: "foreign_request" });
    }
    const csrf = await csrfOf(session);
    const own = await ask(west, session, path, {
      method: "POST",
      headers: { ...type, "x-csrf": csrf },
      body,
    });
    expect(own.status).toBe(201);
    expect((await ask(west, session, "/console/logout", { method: "POST" })).status).toBe(403);
    expect(await isLoggedIn(west, session)).toBe(true);
  });

  test("fixation: a session that was put into a browser does not become its person's", async () => {
    const browser = new Browser();
    const planted = cookieOf(await loggedIn("mallory"));
    browser.plant("vantage-session", planted);
    await logIn(browser, west.url, "ada");
    expect(cookieOf(browser)).not.toBe(planted);
    expect(await isLoggedIn(west, planted)).toBe(false);
    expect(await isLoggedIn(west, "A".repeat(43))).toBe(false);
  });

  test("login CSRF: an answer of the issuer for another browser's login logs nobody in", async () => {
    const mallory = new Browser();
    const begun = await fetch(new URL("/console/login", west.url), { redirect: "manual" });
    const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "";
    const foreign = await mallory.open(new URL(`/console/callback?code=x&state=${state}`, west.url).href);
    expect([foreign.status, JSON.parse(foreign.text).code]).toEqual([400, "unknown_login"]);
    const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
    for (const query of [
      "code=x&state=other",
      `code=x&state=${state}`,
      `error=access_denied&state=${state}`,
    ]) {
      const answer = await fetch(new URL(`/console/callback?${query}`, west.url), { headers: { cookie } });
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        400,
        "login_refused",
      ]);
      expect(answer.headers.getSetCookie().join()).not.toContain("vantage-session=");
    }
  });

  test("theft: a cookie of one gateway opens nothing at another one's database", async () => {
    await using other = await ConsoleHome.start();
    const session = cookieOf(await loggedIn("ada"));
    expect(await isLoggedIn(other.serve(), session)).toBe(false);
  });

  test("theft: rows of the database hold no token, and open no session", async () => {
    const session = cookieOf(await loggedIn("ada"));
    const { sql } = home.gateway.services.database;
    const rows = await sql<{ session_id: Uint8Array; tokens: Uint8Array }[]>`
      SELECT session_id, tokens FROM console_sessions WHERE user_hash = ${userHashOf("ada")}`;
    expect(rows.length).toBeGreaterThan(0);
    for (const { session_id, tokens } of rows) {
      expect(Buffer.from(tokens).toString("latin1")).not.toContain("eyJ");
      expect(await isLoggedIn(west, Buffer.from(session_id).toString("base64url"))).toBe(false);
    }
    // Somebody who can write rows puts the tokens of one session under another's id.
    const victim = readSecret(session) ?? raise();
    const thief = readSecret(cookieOf(await loggedIn("mallory"))) ?? raise();
    const [row] = await sql<{ tokens: Uint8Array }[]>`
      SELECT tokens FROM console_sessions WHERE session_id = ${victim.id}`;
    expect(unseal(victim, row?.tokens ?? raise())).toContain("eyJ");
    expect(() => unseal({ ...thief, id: victim.id }, row?.tokens ?? raise())).toThrow();
    await sql`
      UPDATE console_sessions SET tokens = (SELECT tokens FROM console_sessions WHERE session_id = ${victim.id})
      WHERE session_id = ${thief.id}`;
    expect(await isLoggedIn(west, thief.text)).toBe(false);
  });

  test.each([
    "https://evil.example/",
    "//evil.example/console",
    "/\\evil.example",
    "javascript:alert(1)",
    "/docs",
  ])("open redirect: a login that says %s leads to the start", async (to) => {
    const page = await logIn(new Browser(), west.url, "ada", to);
    expect(page.text).toContain('content="0;url=/console"');
    expect(page.text).not.toContain("evil");
  });
});

function raise(): never {
  throw new Error("There is no session");
}
