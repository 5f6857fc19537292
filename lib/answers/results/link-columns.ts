/** The columns of links, those of two measurements compared, and of nodes: rows of links-query.ts. */
import * as v from "valibot";
import { nobody } from "./links-query.ts";
import { column, type SqlColumn } from "./sql-columns.ts";
import * as forms from "./value-forms.ts";

/** Null = no reply. */
const router: forms.ValueForm = forms.nullable({
  ...forms.address,
  sql: (column) => `if(${column} = ${nobody}, NULL, ${forms.address.sql(column)})`,
});

/** `NULL` without a reply: 0 nanoseconds. */
const timeOfNs: forms.ValueForm = forms.nullable({
  ...forms.time,
  sql: (column) => `if(${column} = 0, NULL, ${forms.time.sql(inStore(column))})`,
  column: (column) => `if(${column} = 0, NULL, ${inStore(column)})`,
});

function inStore(column: string): string {
  return `fromUnixTimestamp64Nano(toInt64(${column}), 'UTC')`;
}

const flag: forms.ValueForm = { sql: (column) => `CAST(${column} > 0, 'Bool')`, schema: v.boolean() };

function count(name: string, from: string, meaning: string, head = name): SqlColumn {
  return column(name, `toUInt32(${from})`, forms.count, { meaning, head });
}

const places: readonly SqlColumn[] = [
  column("near_ttl", "found.lowTtl", forms.u8, { meaning: "of the near end, the lowest", head: "ttl" }),
  column("near_ttl_max", "found.highTtl", forms.u8, { meaning: "the highest", head: "to" }),
  column("near_addr", "found.near", router, { meaning: "null: a silent hop", head: "near" }),
  column("far_addr", "found.far", router, {
    meaning: "router that replied at the next TTL; null: none",
    head: "far",
  }),
  column("silent_after", "found.after", router, {
    meaning: "the last router before a silent end; null if both ends replied",
    head: "silent after",
  }),
];
const flows = count("flows", "found.flows", "over this link");
const destinations = count("destinations", "found.destinations", "of these flows");

const agents = count("agents", "found.agents", "that sent them");
const firstSeen = column("first_seen", "found.firstNs", timeOfNs, { meaning: "when both ends had replied" });

export const linkColumns: readonly SqlColumn[] = [...places, flows, destinations, agents, firstSeen];

const linkStates = ["appeared", "gone", "both"] as const;

const state: forms.ValueForm = {
  sql: (before) => `multiIf(${before} = 0, 'appeared', found.flows = 0, 'gone', 'both')`,
  schema: v.picklist(linkStates),
};

export const comparedColumns: readonly SqlColumn[] = [
  column("state", "found.flowsBefore", state, { meaning: "appeared, gone, or in both measurements" }),
  ...[...places, flows, destinations, agents, firstSeen],
  count("flows_before", "found.flowsBefore", "in the other measurement", "flows before"),
  count("destinations_before", "found.destinationsBefore", "of these", "destinations before"),
];

const ms = (place: number) => `if(found.isTimed, floor(found.times[${place}] + 0.5) / 1000, NULL)`;

export const nodeColumns: readonly SqlColumn[] = [
  column("ttl", "found.lowTtl", forms.u8, { meaning: "the lowest at which it replied" }),
  column("ttl_max", "found.highTtl", forms.u8, { meaning: "the highest", head: "to" }),
  column("address", "found.router", router, { meaning: "null: a silent hop" }),
  column("silent_after", "found.after", router, { meaning: "of a silent hop: the last router before it" }),
  ...[flows, destinations, agents],
  count("answers", "found.answers", "of this router"),
  column("rtt_min_ms", ms(1), forms.nullable(forms.figure), { head: "best ms" }),
  column("rtt_median_ms", ms(2), forms.nullable(forms.figure), { head: "median ms" }),
  column("rtt_max_ms", ms(3), forms.nullable(forms.figure), { head: "worst ms" }),
  column("mpls_labels", "found.labels", forms.labels, { meaning: "the last stack, top first", head: "MPLS" }),
  column("reply_ttl_min", "found.lowReplyTtl", forms.u8, { meaning: "of its answers", head: "reply ttl" }),
  column("reply_ttl_max", "found.highReplyTtl", forms.u8, { head: "to" }),
  column("is_destination", "found.isTarget", flag, { meaning: "a probe's destination", head: "destination" }),
  column("first_seen", "found.firstNs", timeOfNs, { meaning: "its first reply" }),
  column("last_seen", "found.lastNs", timeOfNs, { meaning: "its last reply" }),
];
