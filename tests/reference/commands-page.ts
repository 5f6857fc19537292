/**
 * Writes what docs/reference/command-line.md says of every command: `npm run generate`. A test holds the page to the
 * tables.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../apps/commands.ts";
import { describe } from "../../lib/command/command/describe.ts";
import { referencePage } from "./commands-reference.ts";

export const commandsPagePath = join(import.meta.dirname, "../../docs/reference/command-line.md");

const made =
  "<!-- From here on made from the tables of the commands by `npm run generate`; do not edit. -->\n";

/** What is written by hand stays. */
export async function commandsPage(page: string): Promise<string> {
  const [byHand = ""] = page.split(made);
  return `${byHand.trimEnd()}\n\n${made}\n${referencePage(await describe(root, ""))}\n`;
}

if (import.meta.main) {
  writeFileSync(commandsPagePath, await commandsPage(readFileSync(commandsPagePath, "utf8")));
}
