/**
 * Who is let in: every way in which a token can be wrong, with the status and code that callers, metrics and alerts
 * know it by, through the same middleware and against the same issuer as in a running gateway.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { generateKeyPair, UnsecuredJWT } from "jose";
import { startTestIssuer, type TestIssuer, type TokenParts } from "../../issuer/issuer.ts";
import { type GuardedApp, guardedApp } from "./guarded-app.ts";

const nowSec = () => Math.floor(Date.now() / 1000);

let issuer: TestIssuer;
let app: GuardedApp;

beforeAll(async () => {
  issuer = await startTestIssuer();
});
afterAll(() => issuer[Symbol.asyncDispose]());
beforeEach(() => {
  app = guardedApp(issuer);
});

test("a good token lets its user in, known by the hash of the subject", async () => {
  expect(await app.ask(`Bearer ${await issuer.tokenFor("test-user-id")}`)).toEqual({
    status: 200,
    body: { user_hash: "c95b3f800751698e8f935156112885cc49789e687a3bca5def774fcf96f96ea4" },
  });
});

describe("a header that carries no token", () => {
  test.each<[string, string | null, string, string]>([
    ["none", null, "missing_authorization", "Authorization header is missing"],
    ["no credential", "Bearer", "malformed_authorization", 'Authorization header must start with "Bearer "'],
    [
      "another scheme",
      "Basic YTpi",
      "malformed_authorization",
      'Authorization header must start with "Bearer "',
    ],
    [
      "a scheme in lower case",
      "bearer x",
      "malformed_authorization",
      'Authorization header must start with "Bearer "',
    ],
  ])("%s", async (_, header, code, text) => {
    expect(await app.ask(header)).toMatchObject({ status: 401, body: { code, error: text, message: text } });
  });
});

describe("a text that is not a token asks nothing of the issuer", () => {
  test.each([
    ["a word", "rubbish"],
    ["two parts", "a.b"],
    ["three parts that are not JSON", "YQ.YQ.YQ"],
    ["a header that is a list", `${btoa("[]")}.YQ.YQ`],
    ["a null byte", "a\u0001.b.c"],
  ])("%s", async (_, token) => {
    expect(await app.ask(`Bearer ${token}`)).toMatchObject({
      status: 401,
      body: { code: "malformed_token" },
    });
    expect(app.asked).toEqual([]);
  });
});

describe("a token with one thing wrong", () => {
  test.each<[string, TokenParts, string]>([
    ["no key id", { header: { kid: undefined } }, "missing_key_id"],
    ["a key id that the issuer does not have", { header: { kid: "other" } }, "unknown_key"],
    ["another issuer", { claims: { iss: "http://127.0.0.1:1" } }, "wrong_issuer"],
    ["the issuer with a slash behind", { claims: { iss: "SLASH" } }, "wrong_issuer"],
    ["no issuer", { claims: { iss: undefined } }, "wrong_issuer"],
    ["another audience", { claims: { aud: "urn:other" } }, "wrong_audience"],
    ["no audience", { claims: { aud: undefined } }, "wrong_audience"],
    ["expired", { claims: { exp: nowSec() - 61 } }, "expired_token"],
    ["more than 8 KB", { claims: { padding: "x".repeat(8192) } }, "malformed_token"],
    ["no expiry", { claims: { exp: undefined } }, "malformed_token"],
    ["not valid yet", { claims: { nbf: nowSec() + 120 } }, "token_not_yet_valid"],
    ["no subject", { claims: { sub: undefined } }, "missing_subject"],
    ["an empty subject", { claims: { sub: "" } }, "missing_subject"],
    ["a subject of 256 bytes", { claims: { sub: "é".repeat(128) } }, "missing_subject"],
  ])("%s", async (_, { claims, header }, code) => {
    const iss = claims?.iss === "SLASH" ? { iss: `${issuer.url}/` } : {};
    const token = await issuer.tokenFor("alice", { claims: { ...claims, ...iss }, header: header ?? {} });
    expect(await app.ask(`Bearer ${token}`)).toMatchObject({ status: 401, body: { code } });
    expect(await app.failures()).toEqual({ [code]: 1 });
  });

  test("no algorithm", async () => {
    const [, payload] = (await issuer.tokenFor("alice")).split(".");
    const header = btoa(JSON.stringify({ alg: "none", kid: issuer.keyId })).replaceAll("=", "");
    expect(await app.ask(`Bearer ${header}.${payload}.`)).toMatchObject({
      status: 401,
      body: { code: "unsupported_algorithm", message: "Unsupported algorithm: none" },
    });
    expect(await app.ask(`Bearer ${new UnsecuredJWT({ sub: "alice" }).encode()}`)).toMatchObject({
      status: 401,
    });
  });

  test("a secret made of the public key", async () => {
    const secret = new TextEncoder().encode(await issuer.publicKey());
    const token = await issuer.tokenFor("alice", { header: { alg: "HS256" }, key: secret });
    expect(await app.ask(`Bearer ${token}`)).toMatchObject({
      status: 401,
      body: { code: "unsupported_algorithm" },
    });
  });

  test("somebody else's key under the issuer's key id", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const token = await issuer.tokenFor("alice", { key: privateKey });
    expect(await app.ask(`Bearer ${token}`)).toMatchObject({
      status: 401,
      body: { code: "invalid_signature" },
    });
  });

  test("an algorithm that the named key is not for", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    const token = await issuer.tokenFor("alice", { header: { alg: "RS256" }, key: privateKey });
    expect(await app.ask(`Bearer ${token}`)).toMatchObject({ status: 401, body: { code: "unknown_key" } });
  });

  test("a claim changed after it was signed", async () => {
    const [header, payload = "", signature] = (await issuer.tokenFor("alice")).split(".");
    const changed = btoa(atob(payload).replace("alice", "mallo")).replaceAll("=", "");
    const token = `${header}.${changed}.${signature}`;
    expect(await app.ask(`Bearer ${token}`)).toMatchObject({
      status: 401,
      body: { code: "invalid_signature" },
    });
  });
});

test("a token of another issuer asks nothing of the configured one", async () => {
  const token = await issuer.tokenFor("alice", {
    claims: { iss: "https://other.example" },
    header: { kid: "other" },
  });
  expect(await app.ask(`Bearer ${token}`)).toMatchObject({ status: 401, body: { code: "wrong_issuer" } });
  expect(app.asked).toEqual([]);
});

test("clocks may differ by a minute", async () => {
  for (const claims of [{ exp: nowSec() - 30 }, { nbf: nowSec() + 30 }]) {
    expect(await app.ask(`Bearer ${await issuer.tokenFor("alice", { claims })}`)).toMatchObject({
      status: 200,
    });
  }
});

test("one of several audiences is enough, on either side", async () => {
  const both = guardedApp(issuer, { audiences: ["urn:other", issuer.audience] });
  const token = await issuer.tokenFor("alice", { claims: { aud: ["urn:third", "urn:other"] } });
  expect(await both.ask(`Bearer ${token}`)).toMatchObject({ status: 200 });
});

test("without a list of audiences none is asked for", async () => {
  const any = guardedApp(issuer, { audiences: [] });
  const token = await issuer.tokenFor("alice", { claims: { aud: "urn:whatever" } });
  expect(await any.ask(`Bearer ${token}`)).toMatchObject({ status: 200 });
});

test("a refusal says how to come back, and says no more to who sent nothing", async () => {
  const expired = await issuer.tokenFor("alice", { claims: { exp: nowSec() - 61 } });
  expect(await app.challenge(null)).toBe('Bearer realm="vantage"');
  expect(await app.challenge(`Bearer ${expired}`)).toBe('Bearer realm="vantage", error="invalid_token"');
});
