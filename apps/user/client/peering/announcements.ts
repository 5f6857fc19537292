/** `vantage announcements`: every announcement and withdrawal, and what came of it. */
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { placeNote, placeOf, placeOptions } from "./announcement-place.ts";
import { showAnnouncements } from "./announcement-rows.ts";

export const command = gatewayCommand({
  service: "peering",
  about: `${placeNote} Times are in nanoseconds since the epoch, in every form but the table.`,
  options: placeOptions,
  arguments: {},
  examples: [
    "vantage announcements",
    "vantage announcements -o json",
    "vantage announcements -c bootstrap.yaml",
  ],
  act: async (session, { config }) => {
    const { gateway } = await placeOf(session, config);
    await showAnnouncements(session, gateway, { prefixes: null, waitMs: null, isChange: false });
    return exitCodes.ok;
  },
});
