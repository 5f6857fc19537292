/** `vantage version`. */

import { printLine } from "../lib/base/terminal/output.ts";
import { defineCommand } from "../lib/command/command/command.ts";
import { exitCodes } from "../lib/command/command/exit-codes.ts";
import type { CommandEntry } from "../lib/command/command/table.ts";
import packageJson from "../package.json" with { type: "json" };

export const version: CommandEntry = {
  name: "version",
  purpose: "show version and commit",
  load: async () => ({
    command: defineCommand({
      about: "Also: vantage --version, -V, -v.",
      options: {},
      arguments: {},
      act: () => {
        printLine(`vantage ${packageJson.version} (${process.env.VANTAGE_COMMIT ?? "development"})`);
        return exitCodes.ok;
      },
    }),
  }),
};
