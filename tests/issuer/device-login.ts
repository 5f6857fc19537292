/** What a person does for a device login, and what a program does: RFC 8628 against the development issuer. */
import { commandLineClient } from "../../apps/stack/issuer/issuer-settings.ts";
import { Browser } from "./browser.ts";

interface IssuedTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** The person's part: opens the address that the terminal shows, agrees, and types a name. */
export async function approveDevice(verificationUriComplete: string, name: string): Promise<void> {
  const browser = new Browser();
  const asked = await browser.open(verificationUriComplete);
  const login = await browser.submit(asked);
  const done = await browser.submit(login, { name });
  if (!done.text.includes("Go back to your terminal")) {
    throw new Error(`Cannot log in as ${name} at ${verificationUriComplete}: ${done.status} ${done.text}`);
  }
}

/** Both parts: tokens of that user, really issued. */
export async function deviceLogin(issuerUrl: string, name: string): Promise<IssuedTokens> {
  const client = { client_id: commandLineClient };
  const device = await post(`${issuerUrl}/device/auth`, { ...client, scope: "openid offline_access" });
  await approveDevice(String(device.verification_uri_complete), name);
  return issued(
    await post(`${issuerUrl}/token`, {
      ...client,
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: String(device.device_code),
    }),
  );
}

export async function renewLogin(issuerUrl: string, refreshToken: string): Promise<IssuedTokens> {
  const form = { client_id: commandLineClient, grant_type: "refresh_token", refresh_token: refreshToken };
  return issued(await post(`${issuerUrl}/token`, form));
}

/** Rejects with what the issuer says when it refuses. */
export async function post(
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(form) });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`Cannot post to ${url}: ${response.status} ${text}`);
  }
  return JSON.parse(text);
}

function issued(tokens: Readonly<Record<string, unknown>>): IssuedTokens {
  const { access_token, refresh_token, expires_in } = tokens;
  return {
    access_token: String(access_token),
    refresh_token: String(refresh_token),
    expires_in: Number(expires_in),
  };
}
