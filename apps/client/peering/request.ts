/** `vantage peering prefix request`: leases a /48. */
import { UsageError } from "../../../lib/config/command-line.ts";
import { exitCodes } from "../failure.ts";
import { gatewayCommand } from "../gateway/command.ts";
import { grantedSchema } from "./answers.ts";
import { hoursOf, jsonHeaders } from "./lease-arguments.ts";
import { leaseColumns } from "./lease-columns.ts";

export const { run, options } = gatewayCommand({
  name: "peering prefix request",
  purpose: "lease a /48, and get an AS number with it when you have none",
  usage: "[options] HOURS",
  service: "peering",
  options: {},
  more: `You get the prefix of last time where it is free.

Examples
  vantage peering prefix request 4
  vantage peering prefix request 24h -o json | jq -r .prefix`,
  check: (_values, [hours, ...more]) => {
    if (more.length > 0) {
      throw new UsageError("Give the hours only");
    }
    return { hours: hoursOf(hours) };
  },
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
