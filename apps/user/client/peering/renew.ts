/** `vantage peering prefix renew`: changes when a lease ends. */
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { grantedSchema } from "./answers.ts";
import { chosenPrefix, hoursArgument, jsonHeaders, leaseArgument, leasePath } from "./lease-arguments.ts";
import { leaseColumns } from "./lease-columns.ts";

export const command = gatewayCommand({
  service: "peering",
  options: {},
  about: "The hours count from now, so fewer end it sooner.",
  arguments: { hours: hoursArgument, prefix: leaseArgument },
  examples: ["vantage peering prefix renew 12"],
  act: async (session, { hours, prefix }) => {
    const { signal } = session;
    const gateway = await session.open();
    const path = leasePath(await chosenPrefix(gateway, prefix, signal));
    const lease = await gateway.read(`${path}/renew`, grantedSchema, {
      method: "POST",
      repeatable: true,
      headers: jsonHeaders,
      body: JSON.stringify({ duration_hours: hours }),
      signal,
    });
    session.printRecord(leaseColumns(Date.now()), { ...lease, status: "active" });
    return exitCodes.ok;
  },
});
