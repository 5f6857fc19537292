/** What a probing gateway answers about a name. */
import * as v from "valibot";

export const lookupAnswer = v.object({ name: v.string(), address: v.string() });
