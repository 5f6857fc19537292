/** `vantage completions`: a script for a shell, made from the tables that the commands themselves read. */
import { printLine } from "../lib/base/terminal/output.ts";
import { defineCommand } from "../lib/command/command/command.ts";
import { bashCompletions } from "../lib/command/command/completions/bash.ts";
import { completedCommand } from "../lib/command/command/completions/completed-command.ts";
import { fishCompletions } from "../lib/command/command/completions/fish.ts";
import { zshCompletions } from "../lib/command/command/completions/zsh.ts";
import { describe } from "../lib/command/command/describe.ts";
import { exitCodes } from "../lib/command/command/exit-codes.ts";
import { choice } from "../lib/command/command/kinds.ts";
import type { Command, CommandEntry } from "../lib/command/command/table.ts";

const completionsFor = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions } as const;
const shells = ["bash", "zsh", "fish"] as const;

export function completionsCommand(root: CommandEntry): Command {
  return defineCommand({
    options: {},
    arguments: { shell: { kind: choice(shells, "SHELL"), required: true, meaning: shells.join(", ") } },
    examples: [
      "vantage completions bash > ~/.local/share/bash-completion/completions/vantage",
      ["vantage completions zsh > _vantage", "in a folder of $fpath"],
      "vantage completions fish > ~/.config/fish/completions/vantage.fish",
    ],
    act: async ({ shell }) => {
      const commands = await describe(root, "");
      printLine(completionsFor[shell](commands.map(completedCommand)));
      return exitCodes.ok;
    },
  });
}
