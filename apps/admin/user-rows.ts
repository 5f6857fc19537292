/** A user as each gateway knows it, and its columns. Members that a gateway does not have are null. */
import * as v from "valibot";
import { grouped } from "../../lib/terminal/figures.ts";
import type { Column } from "../../lib/terminal/rows-output.ts";

const common = {
  user_hash: v.string(),
  suspended_at: v.nullable(v.string()),
  suspended_reason: v.nullable(v.string()),
  created_at: v.string(),
};

export const probingUserSchema = v.object({
  ...common,
  user_id: v.number(),
  probes_per_day_max: v.nullable(v.number()),
  rate_probes_per_sec_max: v.nullable(v.number()),
  used_today: v.number(),
});

export const peeringUserSchema = v.object({
  ...common,
  asn: v.nullable(v.number()),
  leases_max: v.nullable(v.number()),
  lease_hours_max: v.nullable(v.number()),
  live_leases: v.number(),
});

type Row = v.InferOutput<typeof probingUserSchema> | v.InferOutput<typeof peeringUserSchema>;
export type ShownUser = Row & { readonly service: "probing" | "peering" };

type Member = keyof v.InferOutput<typeof probingUserSchema> | keyof v.InferOutput<typeof peeringUserSchema>;

function member(name: Member, head: string | null): Column<ShownUser> {
  const readMember = (user: ShownUser) => Object.entries(user).find(([key]) => key === name)?.[1] ?? null;
  return {
    name,
    head,
    value: readMember,
    cell: (user) => {
      const value = readMember(user);
      return typeof value === "number" ? grouped(value) : (value ?? "");
    },
  };
}

export const userColumns: readonly Column<ShownUser>[] = [
  { name: "gateway", head: "gateway", value: ({ service }) => service },
  member("user_hash", "user"),
  member("user_id", null),
  member("used_today", "used today"),
  member("probes_per_day_max", "probes/day"),
  member("rate_probes_per_sec_max", "probes/s"),
  { ...member("asn", "AS"), cell: (user) => ("asn" in user ? String(user.asn ?? "") : "") },
  member("live_leases", "leases"),
  member("leases_max", "leases max"),
  member("lease_hours_max", "hours max"),
  member("suspended_at", null),
  member("suspended_reason", "suspended"),
  member("created_at", null),
];
