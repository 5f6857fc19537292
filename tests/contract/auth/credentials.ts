/** Credentials that are refused, and secrets of grants. */
import { SignJWT } from "jose";
import type { FuzzedGateway } from "../../fuzz/api/fuzzed-gateway.ts";

/** Tokens that look like a user's and are not; `good` is one. */
export async function forged({ issuer }: FuzzedGateway): Promise<Record<string, string>> {
  const good = await issuer.tokenFor("ann");
  const [, payload = ""] = good.split(".");
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
  const stranger = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const past = Math.floor(Date.now() / 1000) - 7200;
  return {
    good,
    "token that has expired": await issuer.tokenFor("ann", { claims: { iat: past, exp: past + 60 } }),
    "token without an end": await issuer.tokenFor("ann", { claims: { exp: undefined } }),
    "token of another issuer": await issuer.tokenFor("ann", { claims: { iss: "https://other.example" } }),
    "token for another audience": await issuer.tokenFor("ann", { claims: { aud: "https://other.example" } }),
    "token without a subject": await issuer.tokenFor("ann", { claims: { sub: undefined } }),
    "token with alg none": `${none}.${payload}.`,
    "token signed with HMAC by the public key": await new SignJWT(JSON.parse(atob(payload)))
      .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: issuer.keyId })
      .sign(new TextEncoder().encode(await issuer.publicKey())),
    "token signed by a stranger": await issuer.tokenFor("ann", { key: stranger.privateKey }),
    "token of which a letter has changed":
      good.slice(0, -6) + (good.at(-6) === "A" ? "B" : "A") + good.slice(-5),
  };
}

/** Secrets of grants of this user: `live`, and `revoked`. */
export async function grantsOf({ url }: FuzzedGateway, token: string): Promise<Record<string, string>> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const asUser = async (method: string, path: string, body: object) => {
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    return (await response.json()) as { readonly [name: string]: string };
  };
  const { prefix = "" } = await asUser("POST", "api/user/prefix", { duration_hours: 1 });
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const secrets: Record<string, string> = {};
  for (const name of ["live", "revoked"]) {
    const order = { name, prefixes: [prefix], changes_max: 1, expires_at };
    const { id, secret = "" } = await asUser("POST", "api/grants", order);
    secrets[name] = secret;
    if (name === "revoked") {
      await asUser("DELETE", `api/grants/${id}`, {});
    }
  }
  return secrets;
}
