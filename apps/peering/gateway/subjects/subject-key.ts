/** An encryption key for subjects, written `ID:KEY` in the configuration. */

export interface SubjectKey {
  /** Key id in the header of encrypted subjects. */
  readonly kid: string;
  /** 32 bytes, for AES-256-GCM. */
  readonly key: Uint8Array;
}

const keyBytes = 32;

/** Null for text that is not a key. */
export function parseSubjectKey(text: string): SubjectKey | null {
  const [, kid, written] = /^([\w.-]{1,64}):([\w-]{43})$/.exec(text) ?? [];
  if (kid === undefined || written === undefined) {
    return null;
  }
  return { kid, key: Uint8Array.fromBase64(written, { alphabet: "base64url" }) };
}

/** Makes a new key, to be put first in the configuration. `day`: `2026-01-31`, which becomes part of its id. */
export function makeSubjectKey(day: string): string {
  const bytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  const key = bytes(keyBytes).toBase64({ alphabet: "base64url", omitPadding: true });
  return `${day}-${bytes(2).toHex()}:${key}`;
}
