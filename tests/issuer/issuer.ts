/**
 * The development issuer for a test, and its key: `await using issuer = await startTestIssuer()`, then
 * `await issuer.tokenFor("alice")` is a token as it would issue one, without the way through its pages.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";
import { audienceDefault, startIssuer } from "../../apps/stack/issuer/issuer.ts";
import { type IssuerSecrets, issuerSecrets } from "../../apps/stack/issuer/issuer-keys.ts";
import { commandLineClient } from "../../apps/stack/issuer/issuer-settings.ts";

export interface TokenParts {
  /** Over the usual ones; undefined leaves one out. */
  readonly claims?: { readonly [name in keyof JWTPayload]?: JWTPayload[name] | undefined };
  readonly header?: { readonly [name in keyof JWTHeaderParameters]?: JWTHeaderParameters[name] | undefined };
  /** Signs with this key instead of the issuer's. */
  readonly key?: CryptoKey | Uint8Array;
}

/** Seconds that a token is good for. */
const lifetimeSec = 3600;

export class TestIssuer implements AsyncDisposable {
  readonly audience = audienceDefault;
  readonly #directory: string;
  #secrets: IssuerSecrets;
  #running: Awaited<ReturnType<typeof startIssuer>>;

  constructor(directory: string, secrets: IssuerSecrets, running: Awaited<ReturnType<typeof startIssuer>>) {
    this.#directory = directory;
    this.#secrets = secrets;
    this.#running = running;
  }

  get url(): string {
    return this.#running.url;
  }

  get keyId(): string {
    return this.#secrets.signingKey.kid;
  }

  /** The text that its key set holds: what a forger can know. */
  async publicKey(): Promise<string> {
    return (await fetch(`${this.url}/jwks`)).text();
  }

  /** A good token of that subject, or one that is bad in the way the parts say. */
  async tokenFor(subject: string, { claims = {}, header = {}, key }: TokenParts = {}): Promise<string> {
    const nowSec = Math.floor(Date.now() / 1000);
    const payload = {
      ...{ iss: this.url, sub: subject, aud: this.audience, client_id: commandLineClient },
      ...{ iat: nowSec, exp: nowSec + lifetimeSec, jti: crypto.randomUUID() },
      ...claims,
    };
    const signingKey = key ?? (await importJWK(this.#secrets.signingKey, "ES256"));
    return new SignJWT(withoutAbsent(payload))
      .setProtectedHeader({ alg: "ES256", ...withoutAbsent({ kid: this.keyId, typ: "at+jwt", ...header }) })
      .sign(signingKey);
  }

  /** As an identity provider that is away; `startAgain` brings it back at the same address. */
  async stop(): Promise<void> {
    await this.#running[Symbol.asyncDispose]();
  }

  async startAgain(): Promise<void> {
    const port = Number(new URL(this.url).port);
    this.#running = await startIssuer({ port, directory: this.#directory });
  }

  /** Comes back with another key, and without the old one. */
  async rotateKeys(): Promise<void> {
    await this.stop();
    rmSync(join(this.#directory, "issuer-keys.json"));
    this.#secrets = await issuerSecrets(this.#directory);
    await this.startAgain();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

export async function startTestIssuer(): Promise<TestIssuer> {
  const directory = mkdtempSync(join(tmpdir(), "vantage-issuer-"));
  const secrets = await issuerSecrets(directory);
  return new TestIssuer(directory, secrets, await startIssuer({ port: 0, directory }));
}

function withoutAbsent<Parts extends object>(
  parts: Parts,
): { [Name in keyof Parts]: Exclude<Parts[Name], undefined> };
function withoutAbsent(parts: object): object {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}
