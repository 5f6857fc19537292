/** Every command with its subcommands, loaded, for completions, the docs page and man pages. */
import type { Command, CommandEntry } from "./table.ts";

export interface DescribedCommand {
  /** `peering prefix list`; `` for the executable itself. */
  readonly name: string;
  readonly purpose: string;
  readonly command: Command;
}

/** A command, then its subcommands, in the order of the tables. */
export async function describe(entry: CommandEntry, name: string): Promise<DescribedCommand[]> {
  const { command } = await entry.load();
  const below = await Promise.all(
    (command.subcommands ?? []).map((sub) => describe(sub, `${name} ${sub.name}`.trim())),
  );
  return [{ name, purpose: entry.purpose, command }, ...below.flat()];
}
