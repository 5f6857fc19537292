/** The development issuer's secrets: made once, kept in its directory, so that tokens survive a restart. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportJWK, generateKeyPair, type JWK } from "jose";

export interface IssuerSecrets {
  /** Private, ES256, with `kid`. */
  readonly signingKey: JWK & { readonly kid: string };
  readonly cookieKey: string;
}

const fileName = "issuer-keys.json";

/** Without a directory they live as long as the process. Throws when the file is there but cannot be read. */
export async function issuerSecrets(directory: string | null): Promise<IssuerSecrets> {
  if (directory === null) {
    return makeSecrets();
  }
  const path = join(directory, fileName);
  if (existsSync(path)) {
    return JSON.parse(readFileSync(path, "utf8"));
  }
  const secrets = await makeSecrets();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

async function makeSecrets(): Promise<IssuerSecrets> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const kid = randomBytes(8).toString("hex");
  return {
    signingKey: { ...(await exportJWK(privateKey)), kid, alg: "ES256", use: "sig" },
    cookieKey: randomBytes(32).toString("base64url"),
  };
}
