/**
 * Derived from a session's cookie by HKDF-SHA256: the id of its row, the key of the tokens in the row, and the CSRF
 * token. The cookie itself is not stored, so a copy of the database opens no session.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** 32 random bytes in base64url. */
const secretForm = /^[\w-]{43}$/;

const nonceBytes = 12;
const tagBytes = 16;

export interface SessionSecret {
  /** The cookie's value. */
  readonly text: string;
  readonly id: Buffer;
  readonly key: Buffer;
  /** In pages, and in the header of requests that change something; reveals nothing about the others. */
  readonly csrf: string;
}

export function makeSecret(): SessionSecret {
  return secretFrom(randomBytes(32).toString("base64url"));
}

/** Null for a text that is not one of ours. */
export function readSecret(text: string): SessionSecret | null {
  return secretForm.test(text) ? secretFrom(text) : null;
}

function secretFrom(text: string): SessionSecret {
  const part = (use: string) => Buffer.from(hkdfSync("sha256", text, "", `vantage console ${use}`, 32));
  return { text, id: part("id"), key: part("tokens"), csrf: part("csrf").toString("base64url") };
}

/** Nonce, tag and content, bound to the session's row. */
export function seal({ key, id }: SessionSecret, content: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(id);
  const sealed = Buffer.concat([cipher.update(content, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Throws an Error for data that was not sealed with this secret, or was changed. */
export function unseal({ key, id }: SessionSecret, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(id).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
}
