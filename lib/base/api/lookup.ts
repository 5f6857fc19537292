/** A probing gateway's API response about a name. */
import * as v from "valibot";

export const lookupAnswer = v.object({ name: v.string(), address: v.string() });
