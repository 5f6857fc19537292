/** Text of strangers that will be stored: bounded, and of characters that every store of ours takes. */
import * as v from "valibot";

/** Refuses what is longer than `charsMax`, half surrogate pairs, and NUL, which PostgreSQL cannot hold. */
export function plainText(charsMax: number) {
  return v.pipe(
    v.string(),
    v.maxLength(charsMax, `must have at most ${charsMax} characters`),
    v.check((text) => text.isWellFormed() && !text.includes("\0"), "must be Unicode text without NUL"),
  );
}
