/**
 * A person at the platform's Keycloak, where its names and its authority are known:
 *
 *     bun keycloak-person.ts make ADMIN-PASSWORD     an administrator makes anna, an operator
 *     bun keycloak-person.ts confirm URL             anna confirms a login in her browser
 */
import * as v from "valibot";
import { Browser } from "../issuer/browser.ts";

const server = "http://127.0.0.1:8081";
const anna = { username: "anna", password: "a-password-of-anna" } as const;
const role = "vantage-operator";

const [, , task = "", given = ""] = process.argv;
await (task === "make" ? makeAnna(given) : confirm(given));

async function confirm(url: string): Promise<void> {
  const browser = new Browser();
  const asked = await browser.submit(await browser.open(url), anna);
  await browser.submit(asked, { accept: "Yes" });
}

async function makeAnna(password: string): Promise<void> {
  const login = { grant_type: "password", client_id: "admin-cli", username: "admin", password };
  // It answers under its public name alone, which the proxy in front says.
  const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "login.example.net" };
  const response = await fetch(`${server}/realms/master/protocol/openid-connect/token`, {
    ...{ method: "POST", headers, body: new URLSearchParams(login) },
  });
  const { access_token } = v.parse(v.object({ access_token: v.string() }), await response.json());
  const { username, password: value } = anna;
  await admin(access_token, "/users", {
    ...{
      username,
      enabled: true,
      email: "anna@example.net",
      emailVerified: true,
      firstName: "A",
      lastName: "B",
    },
    credentials: [{ type: "password", value, temporary: false }],
  });
  const found = await admin(access_token, `/users?username=${username}`);
  const [{ id }] = v.parse(v.tuple([v.object({ id: v.string() })]), found);
  await admin(access_token, `/users/${id}/role-mappings/realm`, [
    await admin(access_token, `/roles/${role}`),
  ]);
}

/** Posts a body, or reads. */
async function admin(token: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${server}/admin/realms/vantage${path}`, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${path}: status ${response.status}: ${text}`);
  }
  return text === "" ? null : JSON.parse(text);
}
