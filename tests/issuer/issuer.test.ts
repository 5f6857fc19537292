/** The development issuer is an issuer: what it gives out, our services take. */
import { expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { machineClient } from "../../apps/stack/issuer/issuer-settings.ts";
import { oidcVerifier } from "../../lib/engines/auth/oidc-verifier.ts";
import { Browser } from "./browser.ts";
import { deviceLogin, post, renewLogin } from "./device-login.ts";
import { startTestIssuer, type TestIssuer } from "./issuer.ts";

function verifierOf({ url, audience }: TestIssuer) {
  return oidcVerifier({ issuer: url, audiences: [audience] });
}

test("a device login gives a token that our services take, for the name that was typed", async () => {
  await using issuer = await startTestIssuer();
  const { access_token: token } = await deviceLogin(issuer.url, "alice");
  expect(await verifierOf(issuer).verify(token)).toMatchObject({ subject: "alice" });
  expect(decodeJwt(token)).toMatchObject({ aud: issuer.audience, client_id: "vantage-cli" });
});

test("a login is renewed by its refresh token, also after the issuer was started again", async () => {
  await using issuer = await startTestIssuer();
  const first = await deviceLogin(issuer.url, "auth0|68a1");
  const second = await renewLogin(issuer.url, first.refresh_token);
  await issuer.stop();
  await issuer.startAgain();
  const third = await renewLogin(issuer.url, second.refresh_token);
  const verifier = verifierOf(issuer);
  for (const { access_token: token } of [first, second, third]) {
    expect(await verifier.verify(token)).toMatchObject({ subject: "auth0|68a1" });
  }
});

test("before the person has agreed, the terminal has to wait", async () => {
  await using issuer = await startTestIssuer();
  const device = await post(`${issuer.url}/device/auth`, { client_id: "vantage-cli", scope: "openid" });
  const form = {
    client_id: "vantage-cli",
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: String(device.device_code),
  };
  expect(await post(`${issuer.url}/token`, form).catch(String)).toContain("authorization_pending");
});

test("a machine gets a token without a person", async () => {
  await using issuer = await startTestIssuer();
  const { id, secret } = machineClient;
  const form = { grant_type: "client_credentials", client_id: id, client_secret: secret };
  const { access_token: token } = await post(`${issuer.url}/token`, form);
  expect(await verifierOf(issuer).verify(String(token))).toMatchObject({ subject: id });
});

test("every page says what kind of issuer this is, and a name must be one", async () => {
  await using issuer = await startTestIssuer();
  const device = await post(`${issuer.url}/device/auth`, { client_id: "vantage-cli", scope: "openid" });
  const browser = new Browser();
  const asked = await browser.open(String(device.verification_uri_complete));
  const login = await browser.submit(asked);
  const refused = await browser.submit(login, { name: "  " });
  const lost = await browser.open(`${issuer.url}/login/none`);
  for (const { text } of [asked, login, refused, lost]) {
    expect(text).toContain("DEVELOPMENT ISSUER: anyone can log in as anyone");
  }
  expect(refused.text).toContain("Type any name");
});
