/** `vantage peering prefix release`: gives a prefix back. */
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { chosenPrefix, leaseArgument, leasePath } from "./lease-arguments.ts";

interface Released {
  readonly prefix: string;
}

const columns: readonly Column<Released>[] = [
  { name: "prefix", head: "released", value: ({ prefix }) => prefix },
];

export const command = gatewayCommand({
  service: "peering",
  options: {},
  arguments: { prefix: leaseArgument },
  examples: ["vantage peering prefix release 2001:db8:1::/48"],
  act: async (session, { prefix }) => {
    const { signal } = session;
    const gateway = await session.open();
    const released = await chosenPrefix(gateway, prefix, signal);
    await gateway.request(leasePath(released), { method: "DELETE", signal });
    session.printRecord(columns, { prefix: released });
    return exitCodes.ok;
  },
});
