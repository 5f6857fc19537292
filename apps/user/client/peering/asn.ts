/** `vantage peering asn`: the AS number, which is assigned at first use. */
import type { InferOutput } from "valibot";
import { asnAnswer } from "../../../../lib/base/api/leases.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";

const columns: readonly Column<InferOutput<typeof asnAnswer>>[] = [
  { name: "asn", head: "AS", value: ({ asn }) => asn },
  { name: "message", head: "", value: ({ message }) => message },
];

export const command = gatewayCommand({
  service: "peering",
  options: {},
  arguments: {},
  examples: ["vantage peering asn"],
  act: async (session) => {
    const gateway = await session.open();
    // Safe to repeat: an assigned number stays.
    const ask = { method: "POST", repeatable: true, signal: session.signal } as const;
    session.printRecord(columns, await gateway.read("/api/user/asn", asnAnswer, ask));
    return exitCodes.ok;
  },
});
