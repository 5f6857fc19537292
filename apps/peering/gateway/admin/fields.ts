/** Values shared by several routes of the admin API. */
import * as v from "valibot";
import { digits } from "../../../../lib/base/api/fields.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";
import { noteCharsMax } from "../limits.ts";

export const common = { tags: ["admin"], auth: "admin" } as const;

/** Text of an admin for people. */
export const note = v.pipe(plainText(noteCharsMax), v.nonEmpty("must not be empty"));

/** `?after`: the number of the last entry seen. */
export const afterNumber = v.optional(digits(15, "must be a number"));
