/** Origin validation of a route (RFC 6811 s.2), with the reason for its state. */
import type { Prefix } from "../ip/prefix.ts";

/** A validated ROA payload: this AS may originate the prefix, and more-specifics up to `maxLength`. */
export interface Vrp {
  readonly prefix: Prefix;
  /** From the prefix's length to 32 or 128. */
  readonly maxLength: number;
  readonly asn: number;
}

interface OriginValidation {
  readonly state: "valid" | "invalid" | "not-found";
  /** Why it is invalid: `length` = the AS may, but not so long a prefix; `origin` = other ASes may. */
  readonly cause: "origin" | "length" | null;
  /** All VRPs that cover the prefix, whether they match or not. */
  readonly covering: readonly Vrp[];
}

/** `covering`: all VRPs whose prefix holds this one. An origin of null (an AS set) and AS 0 (RFC 7607) match none. */
export function originValidation(
  covering: readonly Vrp[],
  { prefix, origin }: { readonly prefix: Prefix; readonly origin: number | null },
): OriginValidation {
  if (covering.length === 0) {
    return { state: "not-found", cause: null, covering };
  }
  const own = origin === null || origin === 0 ? [] : covering.filter(({ asn }) => asn === origin);
  if (own.some(({ maxLength }) => maxLength >= prefix.length)) {
    return { state: "valid", cause: null, covering };
  }
  return { state: "invalid", cause: own.length === 0 ? "origin" : "length", covering };
}
