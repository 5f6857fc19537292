/**
 * Subjects at rest: compact JWE (RFC 7516), `dir` with A256GCM, the key's id in the header.
 *
 * A subject is needed only to ask the identity provider for an e-mail address. The first key encrypts; older ones
 * decrypt until `reencrypt` is done.
 */
import { CompactEncrypt, compactDecrypt } from "jose";
import type { SubjectKey } from "./subject-key.ts";

interface SealedSubject {
  readonly jwe: string;
  readonly kid: string;
}

export class SubjectCipher {
  readonly #keys: ReadonlyMap<string, Uint8Array>;
  readonly #current: SubjectKey;

  /** At least one key. */
  constructor(keys: readonly SubjectKey[]) {
    const [current] = keys;
    if (current === undefined) {
      throw new TypeError("Cannot encrypt subjects without a key");
    }
    this.#current = current;
    this.#keys = new Map(keys.map(({ kid, key }) => [kid, key]));
  }

  /** Id of the key that encrypts. */
  get kid(): string {
    return this.#current.kid;
  }

  get kids(): string[] {
    return [...this.#keys.keys()];
  }

  async seal(subject: string): Promise<SealedSubject> {
    const { kid, key } = this.#current;
    const jwe = await new CompactEncrypt(new TextEncoder().encode(subject))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid })
      .encrypt(key);
    return { jwe, kid };
  }

  /** Rejects when the key is unknown, or the text was modified. */
  async open(jwe: string): Promise<string> {
    const { plaintext } = await compactDecrypt(
      jwe,
      ({ kid = "" }) => {
        const key = this.#keys.get(kid);
        if (key === undefined) {
          throw new Error(`Cannot decrypt a subject: key ${kid} is not configured`);
        }
        return key;
      },
      { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] },
    );
    return new TextDecoder().decode(plaintext);
  }
}
