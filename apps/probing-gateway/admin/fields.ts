/** Values shared by several bodies of the admin API. */
import * as v from "valibot";
import { formatPrefix, parsePrefix } from "../../../lib/ip/prefix.ts";
import { plainText } from "../../../lib/probing/plain-text.ts";
import { grantsMax, noteCharsMax } from "../limits.ts";

/** Text of an admin for people: a reason, a label, a location. */
export const note = v.pipe(plainText(noteCharsMax), v.nonEmpty("must not be empty"));

/** RFC 3339. */
export const timestamp = v.pipe(
  v.string(),
  v.isoTimestamp("must be a time such as 2026-12-31T00:00:00Z"),
  v.check((text) => Date.parse(text) >= 0, "must be a time that exists"),
);

/** A prefix or an address, in its one spelling. */
export const prefixText = v.pipe(
  v.string(),
  v.check((text) => parsePrefix(text) !== null, "must be a prefix without host bits, or an address"),
  v.transform((text) => {
    const prefix = parsePrefix(text);
    return prefix === null ? text : formatPrefix(prefix);
  }),
);

/** Source prefixes of an agent. */
export const grantedPrefixes = v.pipe(v.array(prefixText), v.maxLength(grantsMax));
