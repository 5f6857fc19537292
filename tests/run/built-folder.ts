/** The folder that `npm run build` makes, for tests that move it, or run its executable where there is no Bun. */
import { copyFileSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildExecutable, buildFolder } from "../build.ts";
import { programVariable } from "./vantage-command.ts";

/** The runner has built it already; null where a file runs by itself. */
const built =
  (process.env[programVariable] ?? "") === "" ? null : dirname(process.env[programVariable] ?? "");

/** A copy in this folder; its files, by their paths below it. */
export async function placeBuiltFolder(folder: string): Promise<string[]> {
  if (built === null) {
    return (await buildFolder(folder)).map((file) => file.slice(folder.length + 1));
  }
  const entries = readdirSync(built, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const names = files.map((file) => file.slice(built.length + 1));
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    place(join(built, name), join(folder, name));
  }
  return names;
}

/** The executable alone, as this file. */
export async function placeExecutable(file: string): Promise<void> {
  if (built === null) {
    await buildExecutable(file);
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  place(join(built, "vantage"), file);
}

/** A second name, as they are large: half a gigabyte with the library. */
function place(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
