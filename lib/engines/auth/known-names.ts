/**
 * What people are called, by their tokens: for themselves and for operators, in memory alone. A gateway stores hashes,
 * so after a restart a name is known again once its person has come back.
 */
import type { JWTPayload } from "jose";
import { knownNamesMax, nameCharsMax } from "./limits.ts";

export class KnownNames {
  /** By hash, the one noted last at the end. */
  readonly #names = new Map<string, string>();

  note(userHash: string, name: string | null): void {
    this.#names.delete(userHash);
    if (name !== null) {
      this.#names.set(userHash, name);
    }
    if (this.#names.size > knownNamesMax) {
      const [oldest = ""] = this.#names.keys();
      this.#names.delete(oldest);
    }
  }

  of(userHash: string): string | null {
    return this.#names.get(userHash) ?? null;
  }

  /** Hashes of those who are called so; large and small letters are one. */
  hashesOf(name: string): string[] {
    const wanted = name.toLowerCase();
    return [...this.#names].flatMap(([hash, known]) => (known.toLowerCase() === wanted ? [hash] : []));
  }
}

/** The first of these claims that is a text of some length; null = none is. */
export function nameIn(payload: JWTPayload, claims: readonly string[]): string | null {
  const texts = claims.map((claim) => payload[claim]);
  const named = texts.find((text): text is string => typeof text === "string" && text.trim() !== "");
  return named === undefined ? null : named.trim().slice(0, nameCharsMax).toWellFormed();
}
