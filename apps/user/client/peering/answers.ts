/** The members of the peering gateway's answers that the commands use. */
import * as v from "valibot";
import { grantedAnswer, infoAnswer } from "../../../../lib/base/api/leases.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";

/** `env` prints it for a shell. */
const prefix = v.pipe(
  v.string(),
  v.check((text) => parsePrefix(text) !== null, "is not a prefix"),
);

const leaseSchema = v.object({
  ...v.pick(grantedAnswer, ["start_time", "end_time", "rpki_enabled"]).entries,
  prefix,
});

export const grantedSchema = v.object({ ...leaseSchema.entries, message: v.string() });

export const infoSchema = v.object({
  asn: infoAnswer.entries.asn,
  max_leases: v.nullable(v.number()),
  active_leases: v.array(v.object({ ...leaseSchema.entries, ends_soon: v.optional(v.boolean(), false) })),
});

export const historySchema = v.array(
  v.object({ ...leaseSchema.entries, lease_id: v.number(), status: v.string() }),
);

/** A lease as it is shown; `status` is `active` or how it ended. */
export interface ShownLease extends v.InferOutput<typeof leaseSchema> {
  readonly status: string;
}
