/** The manifest of an encrypted backup: compact JWE (RFC 7516), its key by PBES2 from a passphrase. */
import { readFileSync } from "node:fs";
import { CompactEncrypt, compactDecrypt } from "jose";
import { systemReason } from "../../../lib/base/failure/system-reason.ts";
import { cannot } from "../../../lib/command/command/command-error.ts";

/** As OWASP recommends for PBKDF2 with HMAC-SHA-512: half a second for each guess. */
const iterations = 210_000;
/** A manifest of others must not occupy the processor for longer than a minute. */
const iterationsMax = 10_000_000;
const passphraseLettersMin = 16;

export async function sealText(text: string, passphrase: string): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: "PBES2-HS512+A256KW", enc: "A256GCM" })
    .setKeyManagementParameters({ p2c: iterations })
    .encrypt(new TextEncoder().encode(passphrase));
}

/** Rejects with an Error on another passphrase, or a text that was modified. */
export async function unsealText(jwe: string, passphrase: string): Promise<string> {
  try {
    const { plaintext } = await compactDecrypt(jwe, new TextEncoder().encode(passphrase), {
      keyManagementAlgorithms: ["PBES2-HS512+A256KW"],
      contentEncryptionAlgorithms: ["A256GCM"],
      maxPBES2Count: iterationsMax,
    });
    return new TextDecoder().decode(plaintext);
  } catch (cause) {
    throw new Error("the passphrase is another one, or the manifest was modified", { cause });
  }
}

/** The passphrase in a file, without blanks around it; null without one. Throws CommandError for a short one. */
export function readPassphrase(file: string | null): string | null {
  if (file === null) {
    return null;
  }
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw cannot(`Cannot read the passphrase in ${file}: ${systemReason(cause)}`, { cause });
  }
  if (text.length < passphraseLettersMin) {
    throw cannot(
      `Cannot use the passphrase in ${file}: it has fewer than ${passphraseLettersMin} characters; ` +
        "make one with: openssl rand -base64 32",
    );
  }
  return text;
}
