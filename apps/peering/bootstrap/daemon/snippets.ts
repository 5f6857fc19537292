/** The user's own additions for a daemon that cannot include files: `*.conf` of one folder, by name. Only read. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { snippetsBytesMax } from "../limits.ts";

/** The files joined to one text; empty when the folder is missing. Throws Error when it is too long. */
export async function readSnippets(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".conf")).sort();
  const files = names.map((name) => join(folder, name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  if (sizes.reduce((sum, size) => sum + size, 0) > snippetsBytesMax) {
    throw new Error(`Cannot take ${folder} over: it has more than ${snippetsBytesMax} bytes`);
  }
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return texts.map((text, index) => `! ${names[index]}\n${text.trimEnd()}\n`).join("");
}
