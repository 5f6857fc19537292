/** `vantage peering asn`: the AS number, which is given when there is none yet. */
import type { InferOutput } from "valibot";
import { UsageError } from "../../../lib/config/command-line.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";
import { exitCodes } from "../failure.ts";
import { gatewayCommand } from "../gateway/command.ts";
import { asnSchema } from "./answers.ts";

const columns: readonly Column<InferOutput<typeof asnSchema>>[] = [
  { name: "asn", head: "AS", value: ({ asn }) => asn },
  { name: "message", head: "", value: ({ message }) => message },
];

export const { run, options } = gatewayCommand({
  name: "peering asn",
  purpose: "show your AS number; get one when you have none",
  usage: "[options]",
  service: "peering",
  options: {},
  check: (_values, positionals) => {
    if (positionals.length > 0) {
      throw new UsageError("asn takes options only");
    }
    return {};
  },
  act: async (session) => {
    const gateway = await session.open();
    // Repeated without harm: who has one keeps it.
    const ask = { method: "POST", repeatable: true, signal: session.signal } as const;
    session.printRecord(columns, await gateway.read("/api/user/asn", asnSchema, ask));
    return exitCodes.ok;
  },
});
