/** `vantage admin blocklist`: destinations that agents must not probe. */
import type * as v from "valibot";
import { blockedAnswer } from "../../../lib/base/api/probing-admin.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import { AdminApi } from "./admin-api.ts";
import { prefixKind, reasonOption } from "./arguments.ts";

const columns: readonly Column<v.InferOutput<typeof blockedAnswer>>[] = [
  { name: "prefix", head: "blocked", value: ({ prefix }) => prefix },
  { name: "reason", head: "reason", value: ({ reason }) => reason },
  { name: "created_at", head: "since", value: (blocked) => blocked.created_at },
];

const prefixArgument = {
  kind: prefixKind,
  required: true,
  meaning: "a destination, or a network of them",
} as const;

const list = gatewayCommand({
  about: "What the gateway's list files hold is not among them.",
  options: {},
  arguments: {},
  examples: ["vantage admin blocklist list -o csv"],
  act: async (session) => {
    const api = await AdminApi.open(session);
    const output = session.output(columns);
    for await (const blocked of api.list("/blocklist", blockedAnswer, { idOf: ({ prefix }) => prefix })) {
      output.add(blocked);
    }
    output.finish();
    return exitCodes.ok;
  },
});

const add = gatewayCommand({
  about: "Within 2 s submissions to it are refused, and agents send nothing more there.",
  options: reasonOption,
  arguments: { prefix: prefixArgument },
  examples: ["vantage admin blocklist add 192.0.2.0/24 --reason 'asked for by its owner'"],
  act: async (session, { prefix, reason }) => {
    const api = await AdminApi.open(session);
    session.printRecord(columns, await api.send("POST", "/blocklist", blockedAnswer, { prefix, reason }));
    return exitCodes.ok;
  },
});

const remove = gatewayCommand({
  options: {},
  arguments: { prefix: prefixArgument },
  examples: ["vantage admin blocklist remove 192.0.2.0/24"],
  act: async (session, { prefix }) => {
    const api = await AdminApi.open(session);
    await api.do("DELETE", `/blocklist/${encodeURIComponent(prefix)}`);
    session.printRecord([{ name: "prefix", head: "allowed", value: (row) => row.prefix }], { prefix });
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  subcommands: [
    subcommand("list", "list the destinations that operators have blocked", list),
    subcommand("add", "block a destination", add),
    subcommand("remove", "allow a destination again", remove),
  ],
  examples: ["vantage admin blocklist add 192.0.2.0/24 --reason 'asked for by its owner'"],
});
