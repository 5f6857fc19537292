/** `vantage announcements`: every wish, and what came of it. */
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { showAnnouncements } from "./announcement-rows.ts";

export const command = gatewayCommand({
  service: "peering",
  about: "Times are in nanoseconds since the epoch, in every form but the table.",
  options: {},
  arguments: {},
  examples: ["vantage announcements", "vantage announcements -o json"],
  act: async (session) => {
    const gateway = await session.open();
    await showAnnouncements(session, gateway, { prefixes: null, waitMs: null, isChange: false });
    return exitCodes.ok;
  },
});
