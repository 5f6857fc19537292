/** `vantage peering prefix release`: gives a prefix back. */
import type { Column } from "../../../lib/terminal/rows-output.ts";
import { exitCodes } from "../failure.ts";
import { gatewayCommand } from "../gateway/command.ts";
import { chosenPrefix, leasePath, prefixOf } from "./lease-arguments.ts";

interface Released {
  readonly prefix: string;
}

const columns: readonly Column<Released>[] = [
  { name: "prefix", head: "released", value: ({ prefix }) => prefix },
];

export const { run, options } = gatewayCommand({
  name: "peering prefix release",
  purpose: "give a prefix back",
  usage: "[options] [PREFIX]",
  service: "peering",
  options: {},
  more: "PREFIX may be left out when you have one lease.",
  check: (_values, [prefix, ...more]) => ({ prefix: prefixOf(prefix, more) }),
  act: async (session, { prefix }) => {
    const { signal } = session;
    const gateway = await session.open();
    const released = await chosenPrefix(gateway, prefix, signal);
    await gateway.request(leasePath(released), { method: "DELETE", signal });
    session.printRecord(columns, { prefix: released });
    return exitCodes.ok;
  },
});
