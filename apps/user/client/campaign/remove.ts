/** Removes an ended campaign or discovery, with its runs, alerts and lists. */
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { campaignId, campaignKind, campaignMeaning } from "./campaign-id.ts";

export function removing(command: "campaign" | "discover", placeholder: string) {
  return gatewayCommand({
    about: `Makes room in what the gateway stores for you (stored_bytes in vantage limits). What was measured stays. \
It must have ended: vantage campaign stop. What is public cannot be removed.`,
    options: {},
    arguments: {
      campaign: { kind: campaignKind, placeholder, required: true, meaning: campaignMeaning },
    },
    examples: [`vantage ${command} remove 6f1c`],
    act: async (session, { campaign }) => {
      const gateway = await session.open();
      const { signal } = session;
      const id = await campaignId(gateway, campaign, signal);
      await gateway.request(`/api/campaigns/${id}`, { method: "DELETE", signal });
      session.note(`removed ${id}`);
      return exitCodes.ok;
    },
  });
}
