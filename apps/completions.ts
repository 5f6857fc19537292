/** `vantage completions`: a script for a shell, made from the tables that the commands themselves read. */
import type { OptionDescription, OptionTable } from "../lib/config/command-line.ts";
import { bashCompletions } from "../lib/terminal/completions/bash.ts";
import type { CompletedCommand, CompletedOption } from "../lib/terminal/completions/completed-command.ts";
import { fishCompletions } from "../lib/terminal/completions/fish.ts";
import { zshCompletions } from "../lib/terminal/completions/zsh.ts";
import { printErrorLine, printLine } from "../lib/terminal/output.ts";

interface LoadableCommand {
  readonly name: string;
  readonly purpose: string;
  readonly load: () => Promise<{ readonly options?: OptionTable; readonly words?: readonly string[] }>;
}

const shells = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions } as const;
const names = Object.keys(shells);

const help = `vantage completions: a script that completes the words of vantage in your shell

  vantage completions bash|zsh|fish

  bash   vantage completions bash > ~/.local/share/bash-completion/completions/vantage
  zsh    vantage completions zsh > a file _vantage in a folder of $fpath
  fish   vantage completions fish > ~/.config/fish/completions/vantage.fish`;

/** Resolves to the exit code. */
export async function printCompletions(
  commands: readonly LoadableCommand[],
  args: readonly string[],
): Promise<number> {
  const [shell = "", ...more] = args;
  if (args.includes("--help") || args.includes("-h")) {
    printLine(help);
    return 0;
  }
  const known = Object.entries(shells).find(([name]) => name === shell);
  if (known === undefined || more.length > 0) {
    printErrorLine(`vantage completions: give one of ${names.join(", ")} (see: vantage completions --help)`);
    return 2;
  }
  const [, completions] = known;
  printLine(completions(await described(commands)));
  return 0;
}

async function described(commands: readonly LoadableCommand[]): Promise<CompletedCommand[]> {
  const own = await Promise.all(
    commands.map(async ({ name, purpose, load }) => {
      const { options = {}, words = [] } = await load();
      return { name, purpose, options: shown(options).map(optionOf), words };
    }),
  );
  const all = own.map(({ name }) => name);
  return [
    ...own,
    {
      name: "help",
      purpose: "the options of a command, with examples",
      options: [],
      words: [...all, "completions"],
    },
    { name: "completions", purpose: "a script that completes words", options: [], words: names },
  ];
}

function shown(options: OptionTable): [string, OptionDescription][] {
  return Object.entries(options).filter(([, { hidden }]) => hidden !== true);
}

function optionOf([name, option]: [string, OptionDescription]): CompletedOption {
  const { type, short = null, values = "any", meaning = "" } = option;
  return { name, short, values: type === "boolean" ? null : values, meaning };
}
