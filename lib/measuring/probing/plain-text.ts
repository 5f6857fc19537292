/** Foreign text that will be stored: bounded, and of characters that all our stores accept. */
import * as v from "valibot";

/** Refuses text longer than `charsMax`, half surrogate pairs, and NUL, which PostgreSQL cannot store. */
export function plainText(charsMax: number) {
  return v.pipe(
    v.string(),
    v.maxLength(charsMax, `must have at most ${charsMax} characters`),
    v.check((text) => text.isWellFormed() && !text.includes("\0"), "must be Unicode text without NUL"),
  );
}
