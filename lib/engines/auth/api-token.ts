/**
 * API tokens, which users make for their programs: `vtg_`, 43 characters, 6 characters of checksum.
 *
 * The 43 are 32 random bytes in base 62 (0-9, A-Z, a-z), the 6 are the CRC-32 of everything before them, in the same
 * digits. So scanners of public code find leaked tokens, and a token that was cut, mistyped or made up is refused
 * without a database lookup. The gateway stores the SHA-256 of the whole token (`hashKey` of secret-key.ts).
 */
import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { Failure } from "../../base/failure/failure.ts";

const prefix = "vtg_";
const secretBytes = 32;
/** 62^43 is more than 2^256, 62^6 more than 2^32. */
const secretChars = 43;
const checksumChars = 6;
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${secretChars + checksumChars}}$`);

export function makeApiToken(): string {
  const secret = randomBytes(secretBytes);
  const text = prefix + base62(BigInt(`0x${secret.toString("hex")}`), secretChars);
  return text + checksumOf(text);
}

/** Whether a credential has the form of an API token; it may still be invalid. */
export function isApiToken(credential: string): boolean {
  return credential.startsWith(prefix);
}

/** Throws Failure `auth` `malformed_token` for a token that no gateway can have made. */
export function checkApiToken(token: string): void {
  if (!form.test(token) || checksumOf(token.slice(0, -checksumChars)) !== token.slice(-checksumChars)) {
    const message = "Invalid token: its length or its checksum does not fit; copy the whole token";
    throw new Failure("auth", "malformed_token", message);
  }
}

function checksumOf(text: string): string {
  return base62(BigInt(crc32(text)), checksumChars);
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function base62(value: bigint, chars: number): string {
  let text = "";
  for (let rest = value; text.length < chars; rest /= 62n) {
    text = (digits[Number(rest % 62n)] ?? "") + text;
  }
  return text;
}
