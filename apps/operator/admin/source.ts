/** `vantage admin source`: finds the user of a source address. */
import type * as v from "valibot";
import { sourceAnswer } from "../../../lib/base/api/probing-admin.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/command/gateway/gateway-command.ts";
import { address } from "../../../lib/command/command/kinds.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { AdminApi } from "./admin-api.ts";

const columns: readonly Column<v.InferOutput<typeof sourceAnswer>["users"][number]>[] = [
  { name: "user_hash", head: "user", value: (row) => row.user_hash },
  { name: "agent", head: "agent", value: (row) => row.agent_id },
  { name: "user_prefix", head: "source prefix", value: (row) => row.user_prefix },
  { name: "first_given_at", head: "since", value: (row) => row.first_given_at },
];

export const command = gatewayCommand({
  about: "Also when the agent was retired or has other prefixes since.",
  options: {},
  arguments: {
    address: { kind: address, required: true, meaning: "source address of the packets in a complaint" },
  },
  examples: ["vantage admin source 2001:db8:a:7::1"],
  act: async (session, given) => {
    const api = await AdminApi.open(session);
    const { agents, users } = await api.read(`/sources/${formatAddress(given.address)}`, sourceAnswer);
    session.printRows(columns, users);
    if (users.length === 0) {
      session.note(`no user's: an address of ${agents.map(({ id }) => id).join(", ")}`);
    }
    return exitCodes.ok;
  },
});
