/** The members of the peering gateway's answers that the commands use. */
import * as v from "valibot";
import { parsePrefix } from "../../../lib/ip/prefix.ts";

const time = v.pipe(v.string(), v.isoTimestamp());

/** `env` prints it for a shell. */
const prefix = v.pipe(
  v.string(),
  v.check((text) => parsePrefix(text) !== null, "is not a prefix"),
);

const leaseSchema = v.object({
  prefix,
  start_time: time,
  end_time: time,
  rpki_enabled: v.boolean(),
});

export const grantedSchema = v.object({ ...leaseSchema.entries, message: v.string() });

export const infoSchema = v.object({
  asn: v.nullable(v.number()),
  max_leases: v.nullable(v.number()),
  active_leases: v.array(v.object({ ...leaseSchema.entries, ends_soon: v.optional(v.boolean(), false) })),
});

export const historySchema = v.array(
  v.object({ ...leaseSchema.entries, lease_id: v.number(), status: v.string() }),
);

export const asnSchema = v.object({ asn: v.number(), message: v.string() });

export const rpkiSchema = v.object({ prefix: v.string(), rpki_enabled: v.boolean(), message: v.string() });

/** A lease as it is shown; `status` is `active` or how it ended. */
export interface ShownLease extends v.InferOutput<typeof leaseSchema> {
  readonly status: string;
}
