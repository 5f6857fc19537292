/**
 * Encrypts secrets that the database keeps for others (AES-256-GCM), with a key that it does not have:
 * `gateway.secret_key`, or one made once in the state folder.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SecretBox } from "../campaigns/experiments/runner.ts";

const [algorithm, nonceBytes, tagBytes, keyBytes] = ["aes-256-gcm", 12, 16, 32] as const;

/** `key`: any text that cannot be guessed. */
export function secretBox(key: string): SecretBox {
  const derived = new Uint8Array(hkdfSync("sha256", key, "", "vantage grants", keyBytes));
  return {
    seal: (secret, about) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, derived, nonce).setAAD(Buffer.from(about));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
    },
    open: (sealed, about) => {
      const bytes = Buffer.from(sealed, "base64url");
      const nonce = bytes.subarray(0, nonceBytes);
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      try {
        const decipher = createDecipheriv(algorithm, derived, nonce)
          .setAAD(Buffer.from(about))
          .setAuthTag(tag);
        const text = Buffer.concat([
          decipher.update(bytes.subarray(nonceBytes + tagBytes)),
          decipher.final(),
        ]);
        return text.toString("utf8");
      } catch (error) {
        throw new Error(
          "Cannot decrypt a grant: gateways that share a database need the same gateway.secret_key",
          { cause: error },
        );
      }
    },
  };
}
