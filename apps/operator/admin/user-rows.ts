/** A user at each gateway, and its columns. Members that a gateway does not have are null. */
import type * as v from "valibot";
import type { peeringUserAnswer } from "../../../lib/base/api/peering-admin.ts";
import type { probingUserAnswer } from "../../../lib/base/api/probing-admin.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";

type Row = v.InferOutput<typeof probingUserAnswer> | v.InferOutput<typeof peeringUserAnswer>;
export type ShownUser = Row & { readonly service: "probing" | "peering" };

type Member = keyof v.InferOutput<typeof probingUserAnswer> | keyof v.InferOutput<typeof peeringUserAnswer>;

function member(name: Member, head: string | null): Column<ShownUser> {
  const readMember = (user: ShownUser) => Object.entries(user).find(([key]) => key === name)?.[1] ?? null;
  return {
    name,
    head,
    value: readMember,
    cell: (user) => {
      const value = readMember(user);
      return typeof value === "number" ? grouped(value) : String(value ?? "");
    },
  };
}

export const userColumns: readonly Column<ShownUser>[] = [
  { name: "gateway", head: "gateway", value: ({ service }) => service },
  member("user_hash", "user"),
  member("name", "name"),
  member("user_id", null),
  member("used_today", "used today"),
  member("probes_per_day_max", "probes/day"),
  member("rate_probes_per_sec_max", "probes/s"),
  member("may_record_packets", null),
  { ...member("asn", "AS"), cell: (user) => ("asn" in user ? String(user.asn ?? "") : "") },
  member("live_leases", "leases"),
  member("leases_max", "leases max"),
  member("lease_hours_max", "hours max"),
  member("may_poison", null),
  member("may_blackhole", null),
  member("suspended_at", null),
  member("suspended_reason", "suspended"),
  member("created_at", null),
];
