/** Values shared by several bodies of the admin API. */
import * as v from "valibot";
import { isWritableTime, wholeNumber } from "../../../../lib/base/api/fields.ts";
import { tagCharsMax } from "../../../../lib/measuring/probing/limits.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";
import { parseAddress } from "../../../../lib/net/ip/address.ts";
import { formatPrefix } from "../../../../lib/net/ip/prefix.ts";
import { readPrefix } from "../../../../lib/net/ip/typed-address.ts";
import { grantsMax, noteCharsMax, tagsMax } from "../limits.ts";

/** Free text by an admin: a reason, a label, a location. */
export const note = v.pipe(plainText(noteCharsMax), v.nonEmpty("must not be empty"));

/** RFC 3339. */
export const timestamp = v.pipe(
  v.string(),
  v.isoTimestamp("must be a time such as 2026-12-31T00:00:00Z"),
  v.check(
    (text) => Date.parse(text) >= 0 && isWritableTime(Date.parse(text)),
    "must be a time that exists, from 1970 to 9999",
  ),
);

/** A prefix or an address, in canonical form. */
export const prefixText = v.pipe(
  v.string(),
  v.check((text) => readPrefix(text).ok, "must be a prefix without host bits, or an address"),
  v.transform((text) => {
    const read = readPrefix(text);
    return read.ok ? formatPrefix(read.value) : text;
  }),
);

/** Source prefixes of an agent. */
export const grantedPrefixes = v.pipe(v.array(prefixText), v.maxLength(grantsMax));

/** One word of a command line, so that agents can be chosen by it: `tag:eu`, in a comma list. */
const tag = v.pipe(
  plainText(tagCharsMax),
  v.regex(/^[\p{L}\p{N}._/=+-]+$/u, "must be of letters, digits and . _ / = + -"),
  v.check((text) => parseAddress(text) === null, "must not be an address"),
);

/** An agent's location and tags, by which users choose agents. */
export const placeFields = {
  location: v.optional(v.nullable(note)),
  country: v.optional(
    v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, "must be two capital letters, as DE"))),
  ),
  asn: v.optional(v.nullable(wholeNumber(0, 2 ** 32 - 1))),
  tags: v.optional(v.pipe(v.array(tag), v.maxLength(tagsMax))),
};
