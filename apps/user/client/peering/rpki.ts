/** `vantage peering prefix rpki`: switches the route origin authorisation of a lease. */
import type { InferOutput } from "valibot";
import { rpkiAnswer } from "../../../../lib/base/api/leases.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { choice } from "../../../../lib/command/command/kinds.ts";
import { chosenPrefix, jsonHeaders, leaseArgument, leasePath } from "./lease-arguments.ts";
import { rpkiColumn } from "./lease-columns.ts";

const columns: readonly Column<InferOutput<typeof rpkiAnswer>>[] = [
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  rpkiColumn,
  { name: "message", head: "", value: ({ message }) => message },
];

export const command = gatewayCommand({
  service: "peering",
  options: {},
  arguments: {
    state: { kind: choice(["on", "off"]), placeholder: "on|off", required: true, meaning: "on or off" },
    prefix: leaseArgument,
  },
  examples: ["vantage peering prefix rpki off 2001:db8:1::/48"],
  act: async (session, { state, prefix }) => {
    const { signal } = session;
    const gateway = await session.open();
    const path = leasePath(await chosenPrefix(gateway, prefix, signal));
    const answer = await gateway.read(`${path}/rpki`, rpkiAnswer, {
      method: "PUT",
      repeatable: true,
      headers: jsonHeaders,
      body: JSON.stringify({ enabled: state === "on" }),
      signal,
    });
    session.printRecord(columns, answer);
    return exitCodes.ok;
  },
});
