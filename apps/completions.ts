/** `vantage completions`: a script for a shell, made from the tables that the commands themselves read. */
import { defineCommand } from "../lib/command/command.ts";
import { bashCompletions } from "../lib/command/completions/bash.ts";
import { completedCommand } from "../lib/command/completions/completed-command.ts";
import { fishCompletions } from "../lib/command/completions/fish.ts";
import { zshCompletions } from "../lib/command/completions/zsh.ts";
import { describe } from "../lib/command/describe.ts";
import { exitCodes } from "../lib/command/exit-codes.ts";
import { choice } from "../lib/command/kinds.ts";
import type { Command, CommandEntry } from "../lib/command/table.ts";
import { printLine } from "../lib/terminal/output.ts";

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
