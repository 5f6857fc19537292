/** An address as callers give it, in queries and in messages. */
import * as v from "valibot";
import { parseAddress } from "../../../lib/net/ip/address.ts";
import { resourceCharsMax } from "./limits.ts";

export const addressText = v.pipe(
  v.string(),
  v.maxLength(resourceCharsMax, "is too long for an address"),
  v.check((text) => parseAddress(text) !== null, "must be an address"),
);
