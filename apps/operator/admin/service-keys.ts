/** `vantage admin service-keys`: keys with which exchange servers authenticate at the peering gateway. */
import * as v from "valibot";
import { newServiceKeyAnswer, serviceKeyAnswer } from "../../../lib/base/api/peering-admin.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import { text } from "../../../lib/command/command/kinds.ts";
import { AdminApi } from "./admin-api.ts";

const columns: readonly Column<v.InferOutput<typeof serviceKeyAnswer>>[] = [
  { name: "name", head: "name", value: ({ name }) => name },
  { name: "created_at", head: "made", value: (key) => key.created_at },
  { name: "revoked_at", head: "revoked", value: (key) => key.revoked_at },
];

const madeColumns: readonly Column<v.InferOutput<typeof newServiceKeyAnswer>>[] = [
  { name: "name", head: "name", value: ({ name }) => name },
  { name: "key", head: "service key", value: ({ key }) => key },
];

const nameArgument = {
  kind: text,
  placeholder: "NAME",
  required: true,
  meaning: "who has the key, as exchange-1",
} as const;

const list = gatewayCommand({
  service: "peering",
  about: "Keys of the gateway's configuration are not among them.",
  options: {},
  arguments: {},
  examples: ["vantage admin service-keys list"],
  act: async (session) => {
    const api = await AdminApi.open(session);
    session.printRows(columns, await api.read("/service-keys", v.array(serviceKeyAnswer)));
    return exitCodes.ok;
  },
});

const add = gatewayCommand({
  service: "peering",
  about: "The key is shown once: put it into gateway.key_file of the policy generator.",
  options: {},
  arguments: { name: nameArgument },
  examples: ["vantage admin service-keys add exchange-1 -o json | jq -r .key"],
  act: async (session, { name }) => {
    const api = await AdminApi.open(session);
    session.printRecord(madeColumns, await api.send("POST", "/service-keys", newServiceKeyAnswer, { name }));
    return exitCodes.ok;
  },
});

const revoke = gatewayCommand({
  service: "peering",
  options: {},
  arguments: { name: nameArgument },
  examples: ["vantage admin service-keys revoke exchange-1"],
  act: async (session, { name }) => {
    const api = await AdminApi.open(session);
    await api.do("DELETE", `/service-keys/${encodeURIComponent(name)}`);
    session.printRecord([{ name: "name", head: "revoked", value: (key) => key.name }], { name });
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  subcommands: [
    subcommand("list", "list keys of the service API, without the keys themselves", list),
    subcommand("add", "make a key for an exchange server", add),
    subcommand("revoke", "revoke a key of an exchange server", revoke),
  ],
  examples: ["vantage admin service-keys add exchange-1"],
});
