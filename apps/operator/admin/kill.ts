/** `vantage admin kill-switch`: stops and resumes all agents' probing. */
import type * as v from "valibot";
import { killAnswer } from "../../../lib/base/api/probing-admin.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { confirmed, confirmOption } from "../../../lib/command/command/confirm.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import { AdminApi } from "./admin-api.ts";
import { reasonOption } from "./arguments.ts";

const columns: readonly Column<v.InferOutput<typeof killAnswer>>[] = [
  {
    name: "killed",
    head: "probing",
    value: (state) => state.killed_at !== null,
    cell: (state) => (state.killed_at === null ? "active" : "stopped"),
  },
  { name: "killed_at", head: "since", value: (state) => state.killed_at },
  { name: "killed_reason", head: "reason", value: (state) => state.killed_reason },
];

const status = gatewayCommand({
  options: {},
  arguments: {},
  examples: ["vantage admin kill-switch status"],
  act: async (session) => {
    const api = await AdminApi.open(session);
    session.printRecord(columns, await api.read("/kill-switch", killAnswer));
    return exitCodes.ok;
  },
});

const on = gatewayCommand({
  about: "Within 2 s no agent sends any more probes. The gateway's host name has to be typed.",
  options: { ...reasonOption, ...confirmOption },
  arguments: {},
  examples: [
    "vantage admin kill-switch on --reason 'a loop in AS 64500'",
    ["vantage admin kill-switch on -r test --confirm gateway.example", "without a question, for scripts"],
  ],
  act: async (session, { reason, confirm: given }) => {
    const api = await AdminApi.open(session);
    const { host: word } = new URL(api.address);
    const what = ["All agents stop sending, for all users, until vantage admin kill-switch off."];
    await confirmed({ what, word, given, signal: session.signal });
    session.printRecord(columns, await api.send("PUT", "/kill-switch", killAnswer, { reason }));
    return exitCodes.ok;
  },
});

const off = gatewayCommand({
  about: "Queued probes are then sent.",
  options: {},
  arguments: {},
  examples: ["vantage admin kill-switch off"],
  act: async (session) => {
    const api = await AdminApi.open(session);
    session.printRecord(columns, await api.send("DELETE", "/kill-switch", killAnswer));
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  subcommands: [
    subcommand("status", "show whether probing is stopped", status),
    subcommand("on", "stop all probing of all agents", on),
    subcommand("off", "resume probing", off),
  ],
  examples: ["vantage admin kill-switch on --reason 'a loop in AS 64500'"],
});
