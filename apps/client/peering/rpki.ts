/** `vantage peering prefix rpki`: switches the route origin authorisation of a lease. */
import type { InferOutput } from "valibot";
import { choiceOf } from "../../../lib/config/option-values.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";
import { exitCodes } from "../failure.ts";
import { gatewayCommand } from "../gateway/command.ts";
import { rpkiSchema } from "./answers.ts";
import { chosenPrefix, jsonHeaders, leasePath, prefixOf } from "./lease-arguments.ts";

const columns: readonly Column<InferOutput<typeof rpkiSchema>>[] = [
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  {
    name: "rpki_enabled",
    head: "RPKI",
    value: ({ rpki_enabled }) => rpki_enabled,
    cell: ({ rpki_enabled }) => (rpki_enabled ? "on" : "off"),
  },
  { name: "message", head: "", value: ({ message }) => message },
];

export const { run, options } = gatewayCommand({
  name: "peering prefix rpki",
  purpose: "switch the route origin authorisation (ROA) of a lease on or off",
  usage: "[options] on|off [PREFIX]",
  service: "peering",
  options: {},
  more: "PREFIX may be left out when you have one lease.",
  check: (_values, [state = "", prefix, ...more]) => ({
    isOn: choiceOf("RPKI", state, ["on", "off"]) === "on",
    prefix: prefixOf(prefix, more),
  }),
  act: async (session, { isOn, prefix }) => {
    const { signal } = session;
    const gateway = await session.open();
    const path = leasePath(await chosenPrefix(gateway, prefix, signal));
    const answer = await gateway.read(`${path}/rpki`, rpkiSchema, {
      method: "PUT",
      repeatable: true,
      headers: jsonHeaders,
      body: JSON.stringify({ enabled: isOn }),
      signal,
    });
    session.printRecord(columns, answer);
    return exitCodes.ok;
  },
});
