/**
 * An agent's report of its instances, and the settings that an operator may change remotely.
 *
 * The agent posts its active instances as a JSON array; the gateway responds with `desired`, by instance name, which
 * the agent merges over its own file. Both sides check with these schemas. Unknown members are ignored, so that either
 * side may be newer.
 */
import * as v from "valibot";
import { wholeNumber } from "../../base/api/fields.ts";
import { parseAddress } from "../../net/ip/address.ts";
import { formatPrefix, type Prefix, prefixOf } from "../../net/ip/prefix.ts";
import { desiredInstancesMax, instancesMax, probingRateMax } from "./limits.ts";
import { plainText } from "./plain-text.ts";
import { isSafeName } from "./safe-name.ts";

/** Letters, digits, dots, hyphens and underscores: safe in headers, paths and targets. */
export const agentIdSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._-]{1,64}$/, "must be 1 to 64 letters, digits, dots, hyphens and underscores"),
  v.check(isSafeName, "must be none of . .. __proto__ constructor prototype"),
);

export const instanceNameSchema = v.pipe(
  v.string(),
  v.regex(
    /^[^\s:,[\]]{1,64}$/,
    "must be 1 to 64 characters without white space, colons, commas and brackets",
  ),
  v.check(isSafeName, "must be none of . .. __proto__ constructor prototype"),
);

/** A source prefix as in an agent's file; host bits are allowed, as existing files have them. */
const prefixText = v.pipe(
  v.string(),
  v.check((text) => sourcePrefix(text) !== null, "must be ADDRESS/LENGTH"),
);
const blankIsNull = v.pipe(
  v.literal(""),
  v.transform(() => null),
);
const prefixOrNull = v.nullish(v.union([blankIsNull, prefixText]), null);
const ttl = wholeNumber(0, 255);

/** One instance as posted: names and defaults are those that existing agents rely on. */
export const agentInstanceSchema = v.object({
  name: v.nullish(instanceNameSchema, null),
  batch_size: v.optional(wholeNumber(0, 2 ** 32), 1000),
  instance_id: v.optional(wholeNumber(0, 65_535), 0),
  dry_run: v.optional(v.boolean(), false),
  min_ttl: v.nullish(ttl, null),
  max_ttl: v.nullish(ttl, null),
  integrity_check: v.optional(v.boolean(), false),
  interface: v.optional(plainText(64), "eth0"),
  src_ipv4_prefix: prefixOrNull,
  src_ipv6_prefix: prefixOrNull,
  packets: v.optional(wholeNumber(0, 2 ** 32), 10_000),
  /** Packets per second. */
  probing_rate: v.optional(wholeNumber(0, probingRateMax), 1000),
  rate_limiting_method: v.optional(plainText(32), "None"),
  /** Whether an operator's `desired` is holding this instance back. */
  paused: v.optional(v.boolean(), false),
  /** The version of `desired` that this instance has applied: after a refused change it stays behind. */
  config_version: v.nullish(wholeNumber(0, Number.MAX_SAFE_INTEGER), null),
});
export type AgentInstance = v.InferOutput<typeof agentInstanceSchema>;

export const agentConfigSchema = v.pipe(v.array(agentInstanceSchema), v.maxLength(instancesMax));

/** Changes to one instance: omitted members stay as in the agent's file; a null prefix removes it. */
export const desiredInstanceSchema = v.strictObject({
  probing_rate: v.optional(wholeNumber(1, probingRateMax)),
  src_ipv4_prefix: v.optional(v.nullable(prefixOfFamily(4))),
  src_ipv6_prefix: v.optional(v.nullable(prefixOfFamily(6))),
  paused: v.optional(v.boolean()),
});

/** Desired changes by instance name. */
export const desiredConfigSchema = v.pipe(
  v.record(instanceNameSchema, desiredInstanceSchema),
  v.maxEntries(desiredInstancesMax, "names too many instances"),
);
export type DesiredConfig = v.InferOutput<typeof desiredConfigSchema>;

/** Reads `address/length`, host bits cut off; null on anything else, a missing length included. */
export function sourcePrefix(text: string): Prefix | null {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const base = parseAddress(match?.[1] ?? "");
  if (base === null) {
    return null;
  }
  const length = Number(match?.[2]);
  const prefix = prefixOf(base, length);
  return length <= (prefix.family === 4 ? 32 : 128) ? prefix : null;
}

function prefixOfFamily(family: 4 | 6) {
  return v.pipe(
    v.string(),
    v.check((text) => sourcePrefix(text)?.family === family, `must be an IPv${family} prefix`),
    v.transform((text) => {
      const prefix = sourcePrefix(text);
      return prefix === null ? text : formatPrefix(prefix);
    }),
  );
}
