/** Every command with those below it, loaded: what completions, the page of docs and man pages are made of. */
import type { Command, CommandEntry } from "./table.ts";

export interface DescribedCommand {
  /** `peering prefix list`; `` for the executable itself. */
  readonly name: string;
  readonly purpose: string;
  readonly command: Command;
}

/** A command, then those below it, in the order of the tables. */
export async function describe(entry: CommandEntry, name: string): Promise<DescribedCommand[]> {
  const { command } = await entry.load();
  const below = await Promise.all(
    (command.subcommands ?? []).map((sub) => describe(sub, `${name} ${sub.name}`.trim())),
  );
  return [{ name, purpose: entry.purpose, command }, ...below.flat()];
}
