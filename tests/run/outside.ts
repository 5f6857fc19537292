/**
 * What a run of tests leaves outside of its temporary folder: a stack that wrote into /var/lib/vantage made the next
 * run fail. Watched are our own folders on a machine, and the home folder, where the caches of npm, pip, Maven and
 * browsers are theirs.
 */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const ours = ["/var/lib/vantage", "/etc/vantage"];
/** Below the home folder: programs keep settings, data and caches there, each by its name. */
const sharedFolders = [".config", ".local/share", ".local/state", ".cache"];

/** Paths that are there now. */
export function pathsOutside(home = homedir(), folders: readonly string[] = ours): ReadonlySet<string> {
  return new Set([
    ...folders.flatMap((folder) => (existsSync(folder) ? [folder, ...below(folder, true)] : [])),
    ...below(home).filter((path) => !path.startsWith(`${home}/.`)),
    ...sharedFolders.flatMap((name) => {
      const folder = join(home, name);
      return below(folder).filter((path) => path.startsWith(`${folder}/vantage`));
    }),
  ]);
}

function below(folder: string, recursive = false): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { recursive, encoding: "utf8" }).map((name) => join(folder, name))
    : [];
}
