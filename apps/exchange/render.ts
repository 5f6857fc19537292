/** `vantage exchange render`: writes the files of the settings into a folder. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderFiles } from "./files.ts";
import type { ExchangeSettings } from "./settings.ts";

/** They may hold passwords. */
const fileMode = 0o640;

/** Gives a line for each file that was written. Throws a system error. */
export function writeFiles(settings: ExchangeSettings, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const wanted = renderFiles(settings).filter(
    ({ name, isFirstOnly }) => !(isFirstOnly && existsSync(join(folder, name))),
  );
  return wanted.map(({ name, text }) => {
    const path = join(folder, name);
    writeFileSync(`${path}.new`, text, { mode: fileMode });
    renameSync(`${path}.new`, path);
    return `wrote ${path}`;
  });
}
