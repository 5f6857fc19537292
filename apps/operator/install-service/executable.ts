/** What units start: this executable, unless another one is named. */
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { kindOf, unfit } from "../../../lib/command/command/kinds.ts";
import { readBy } from "../../../lib/command/command/parse.ts";

/** A unit would read spaces, quotes, `%`, `$` and `\` as its own. */
export const unitPath = kindOf("FILE", "file", (given) =>
  /^\/[\w./@+:-]*$/.test(given)
    ? given
    : unfit("is not an absolute path of letters, digits and . / _ @ + : -"),
);

export const executableOption = {
  kind: unitPath,
  defaultText: "this executable",
  meaning: "what the unit starts",
} as const;

/** Throws CommandError where there is none that a unit could start. */
export function executableOf(given: string | null): string {
  return given ?? readBy(unitPath, "--executable", ownExecutable());
}

/** Programs that `bun build --compile` made have their files below `/$bunfs` (Bun 1.4.5). */
function ownExecutable(): string {
  if (!Bun.main.startsWith("/$bunfs/")) {
    throw wrongUsage("--executable is missing: this is not a standalone executable (see: npm run build)");
  }
  return process.execPath;
}
