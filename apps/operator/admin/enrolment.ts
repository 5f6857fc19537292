/** `vantage admin enrolment`: keys with which new agents enrol. */
import * as v from "valibot";
import { enrolmentKeyAnswer } from "../../../lib/base/api/probing-admin.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { timeInWords } from "../../../lib/base/terminal/time-words.ts";
import { defineGroup, subcommand } from "../../../lib/command/command/command.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import { duration, number, text } from "../../../lib/command/command/kinds.ts";
import { AdminApi } from "./admin-api.ts";
import { keyIdArgument } from "./arguments.ts";
import { keyLifeMsMax, usesMax } from "./limits.ts";
import { placeOf, placeOptions } from "./place-options.ts";

const keySchema = v.object({
  ...enrolmentKeyAnswer.entries,
  /** Shown only in this response. */
  enrolment_key: v.optional(v.string()),
});
type Key = v.InferOutput<typeof keySchema>;

const columns: readonly Column<Key>[] = [
  { name: "key_id", head: "key", value: (key) => key.key_id },
  { name: "label", head: "label", value: ({ label }) => label },
  { name: "uses_left", head: "agents left", align: "right", value: (key) => key.uses_left },
  {
    name: "expires_at",
    head: "until (UTC)",
    value: (key) => key.expires_at,
    cell: (key) => (key.expires_at === null ? "" : timeInWords(key.expires_at)),
  },
  { name: "created_at", head: null, value: (key) => key.created_at },
  texts("tags", "tags", ({ tags }) => tags),
  { name: "country", head: "country", value: ({ country }) => country },
  { name: "location", head: "location", value: ({ location }) => location },
  { name: "asn", head: "AS", align: "right", value: ({ asn }) => asn },
  texts("granted_prefixes", "may send from", (key) => key.granted_prefixes),
];

const madeColumns: readonly Column<Key>[] = [
  ...columns,
  { name: "enrolment_key", head: "enrolment key", value: (key) => key.enrolment_key ?? null },
];

function texts(name: string, head: string, value: (key: Key) => readonly string[]): Column<Key> {
  return { name, head, value, text: (key) => value(key).join(" ") };
}

const list = gatewayCommand({
  options: {},
  arguments: {},
  examples: ["vantage admin enrolment list"],
  act: async (session) => {
    const api = await AdminApi.open(session);
    const output = session.output(columns);
    for await (const key of api.list("/enrolment-keys", keySchema, { idOf: (row) => row.key_id })) {
      output.add(key);
    }
    output.finish();
    return exitCodes.ok;
  },
});

const add = gatewayCommand({
  about: "The key is shown once. Agents that enrol with it have its tags, place and source prefixes.",
  options: {
    uses: { kind: number(1, usesMax), default: 1, meaning: "agents that it lets in" },
    expires: { kind: duration(keyLifeMsMax), defaultText: "never", meaning: "how long it is good: 12h, 30d" },
    ...placeOptions,
  },
  arguments: {
    label: { kind: text, placeholder: "LABEL", required: true, meaning: "what it is for, as 'rack 1'" },
  },
  examples: [
    "vantage admin enrolment add 'rack 1' --uses 10 --expires 7d --tag eu --country DE --grant 2001:db8::/32",
  ],
  act: async (session, { label, uses, expires, ...given }) => {
    const api = await AdminApi.open(session);
    const expires_at = expires === null ? null : new Date(Date.now() + expires).toISOString();
    const body = { label, uses, expires_at, ...placeOf(given) };
    session.printRecord(madeColumns, await api.send("POST", "/enrolment-keys", keySchema, body));
    return exitCodes.ok;
  },
});

const revoke = gatewayCommand({
  about: "Agents that have enrolled with it keep working.",
  options: {},
  arguments: { key: keyIdArgument },
  examples: ["vantage admin enrolment revoke 0123456789abcdef"],
  act: async (session, { key }) => {
    const api = await AdminApi.open(session);
    await api.do("DELETE", `/enrolment-keys/${key}`);
    session.printRecord([{ name: "key_id", head: "revoked", value: ({ key_id }) => key_id }], {
      key_id: key,
    });
    return exitCodes.ok;
  },
});

export const command = defineGroup({
  subcommands: [
    subcommand("list", "list enrolment keys, without the keys themselves", list),
    subcommand("add", "make an enrolment key", add),
    subcommand("revoke", "revoke an enrolment key", revoke),
  ],
  examples: ["vantage admin enrolment add 'rack 1' --uses 10"],
});
