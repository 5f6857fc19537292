/** `vantage peering prefix request`: leases a /48. */
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { grantedSchema } from "./answers.ts";
import { hoursArgument, jsonHeaders } from "./lease-arguments.ts";
import { leaseColumns } from "./lease-columns.ts";

export const command = gatewayCommand({
  service: "peering",
  about: "You get an AS number with it when you have none, and the prefix of last time where it is free.",
  options: {},
  arguments: { hours: hoursArgument },
  examples: [
    "vantage peering prefix request 4",
    "vantage peering prefix request 24h -o json | jq -r .prefix",
  ],
  act: async (session, { hours }) => {
    const gateway = await session.open();
    const lease = await gateway.read("/api/user/prefix", grantedSchema, {
      method: "POST",
      headers: jsonHeaders,
      body: JSON.stringify({ duration_hours: hours }),
      signal: session.signal,
    });
    session.printRecord(leaseColumns(Date.now()), { ...lease, status: "active" });
    return exitCodes.ok;
  },
});
