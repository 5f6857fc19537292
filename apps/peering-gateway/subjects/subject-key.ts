/** A key that subjects are encrypted with, as it is written in the configuration: `ID:KEY`. */

export interface SubjectKey {
  /** In the header of what it has encrypted. */
  readonly kid: string;
  /** 32 bytes, for AES-256-GCM. */
  readonly key: Uint8Array;
}

const keyBytes = 32;

/** Null for what is no key. */
export function parseSubjectKey(text: string): SubjectKey | null {
  const [, kid, written] = /^([\w.-]{1,64}):([\w-]{43})$/.exec(text) ?? [];
  if (kid === undefined || written === undefined) {
    return null;
  }
  return { kid, key: Uint8Array.fromBase64(written, { alphabet: "base64url" }) };
}

/** A new one, to be put first in the configuration. `day`: `2026-01-31`, which its id tells. */
export function makeSubjectKey(day: string): string {
  const bytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  const key = bytes(keyBytes).toBase64({ alphabet: "base64url", omitPadding: true });
  return `${day}-${bytes(2).toHex()}:${key}`;
}
