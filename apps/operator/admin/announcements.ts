/** `vantage admin announcements`: current permissions to announce at the exchange, and stopping announcements. */
import type * as v from "valibot";
import { announcementStopAnswer, liveLeaseAnswer } from "../../../lib/base/api/peering-admin.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { timeInWords } from "../../../lib/base/terminal/time-words.ts";
import { defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { confirmed, confirmOption } from "../../../lib/command/command/confirm.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import { kindOf, unfit } from "../../../lib/command/command/kinds.ts";
import { parseLeasePrefix } from "../../../lib/peering/lease/lease-prefix.ts";
import { AdminApi } from "./admin-api.ts";
import { reasonOption } from "./arguments.ts";

const columns: readonly Column<v.InferOutput<typeof liveLeaseAnswer>>[] = [
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  { name: "asn", head: "AS", align: "right", value: ({ asn }) => asn },
  { name: "user_hash", head: "user", value: (row) => row.user_hash },
  {
    name: "suspended",
    head: "",
    value: ({ suspended }) => suspended,
    cell: ({ suspended }) => (suspended ? "suspended" : ""),
  },
  { name: "start_time", head: null, value: (row) => row.start_time },
  {
    name: "end_time",
    head: "until (UTC)",
    value: (row) => row.end_time,
    cell: (row) => timeInWords(row.end_time),
  },
  { name: "rpki_enabled", head: null, value: (row) => row.rpki_enabled },
];

const list = gatewayCommand({
  service: "peering",
  about:
    "What exchange servers accept from users: live leases. For current announcements see vantage exchange status.",
  options: {},
  arguments: {},
  examples: ["vantage admin announcements list"],
  act: async (session) => {
    const api = await AdminApi.open(session);
    const output = session.output(columns);
    const order = { idOf: (row: v.InferOutput<typeof liveLeaseAnswer>) => row.lease_id };
    for await (const row of api.list("/leases", liveLeaseAnswer, order)) {
      output.add(row);
    }
    output.finish();
    return exitCodes.ok;
  },
});

const withdraw = gatewayCommand({
  service: "peering",
  about: "The lease ends, and exchange servers refuse its route within seconds.",
  options: confirmOption,
  arguments: {
    prefix: {
      kind: kindOf(
        "PREFIX",
        "any",
        (given) => parseLeasePrefix(given) ?? unfit("is not the prefix of a lease, as 2001:db8:1::/48"),
      ),
      required: true,
      meaning: "the leased prefix",
    },
  },
  examples: ["vantage admin announcements withdraw 2001:db8:1::/48"],
  act: async (session, { prefix, confirm: given }) => {
    const api = await AdminApi.open(session);
    const what = [`The lease of ${prefix} ends now, for any user.`];
    await confirmed({ what, word: prefix, given, signal: session.signal });
    await api.do("DELETE", `/leases/${encodeURIComponent(prefix)}`);
    session.printRecord([{ name: "prefix", head: "withdrawn", value: (row) => row.prefix }], { prefix });
    return exitCodes.ok;
  },
});

const stopColumns: readonly Column<v.InferOutput<typeof announcementStopAnswer>>[] = [
  {
    name: "stopped",
    head: "announcements",
    value: (state) => state.stopped_at !== null,
    cell: (state) => (state.stopped_at === null ? "active" : "stopped"),
  },
  { name: "stopped_at", head: "since", value: (state) => state.stopped_at },
  { name: "stopped_reason", head: "reason", value: (state) => state.stopped_reason },
];
const stopPath = "/announcement-stop";

const status = gatewayCommand({
  service: "peering",
  options: {},
  arguments: {},
  examples: ["vantage admin announcements status"],
  act: async (session) => {
    const api = await AdminApi.open(session);
    session.printRecord(stopColumns, await api.read(stopPath, announcementStopAnswer));
    return exitCodes.ok;
  },
});

const stop = gatewayCommand({
  service: "peering",
  about:
    "Every exchange server refuses every route of every user within seconds, whatever users' daemons do. Leases and " +
    "requests stay. One user alone: vantage admin users suspend. The host name of the gateway has to be typed.",
  options: { ...reasonOption, ...confirmOption },
  arguments: {},
  examples: ["vantage admin announcements stop --reason 'a leak at the upstream'"],
  act: async (session, { reason, confirm: given }) => {
    const api = await AdminApi.open(session);
    const { host: word } = new URL(api.address);
    const what = ["All prefixes of all users are withdrawn, until vantage admin announcements resume."];
    await confirmed({ what, word, given, signal: session.signal });
    session.printRecord(stopColumns, await api.send("PUT", stopPath, announcementStopAnswer, { reason }));
    return exitCodes.ok;
  },
});

const resume = gatewayCommand({
  service: "peering",
  about: "Announcements that users still want are accepted again.",
  options: {},
  arguments: {},
  examples: ["vantage admin announcements resume"],
  act: async (session) => {
    const api = await AdminApi.open(session);
    session.printRecord(stopColumns, await api.send("DELETE", stopPath, announcementStopAnswer));
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  subcommands: [
    subcommand("list", "list what users may announce now", list),
    subcommand("withdraw", "end a lease, and withdraw its prefix", withdraw),
    subcommand("stop", "withdraw all announcements of all users, in an emergency", stop),
    subcommand("resume", "accept announcements again", resume),
    subcommand("status", "show whether announcements are stopped", status),
  ],
  examples: ["vantage admin announcements list"],
});
