/** `vantage peering prefix renew`: changes when a lease ends. */
import { exitCodes } from "../failure.ts";
import { gatewayCommand } from "../gateway/command.ts";
import { grantedSchema } from "./answers.ts";
import { chosenPrefix, hoursOf, jsonHeaders, leasePath, prefixOf } from "./lease-arguments.ts";
import { leaseColumns } from "./lease-columns.ts";

export const { run, options } = gatewayCommand({
  name: "peering prefix renew",
  purpose: "let a lease end so many hours from now",
  usage: "[options] HOURS [PREFIX]",
  service: "peering",
  options: {},
  more: "PREFIX may be left out when you have one lease. The hours count from now, so fewer end it sooner.",
  check: (_values, [hours, prefix, ...more]) => ({ hours: hoursOf(hours), prefix: prefixOf(prefix, more) }),
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
