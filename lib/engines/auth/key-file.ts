/** A secret key in a file of its own. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateFolder } from "../../base/disk/private-folder.ts";
import { makeKey } from "./secret-key.ts";

/** Fewer could be guessed. */
const keyCharsMin = 16;

/** Throws an Error, with the next step, when the key cannot be read or is too short. */
export function readKeyFile(path: string): string {
  const key = readFileSync(path, "utf8").trim();
  if (key.length < keyCharsMin) {
    throw new Error(`Cannot use the key in ${path}: it has fewer than ${keyCharsMin} characters`);
  }
  return key;
}

/** Creates the file when it is missing, readable by its owner only. */
export function keyMadeOnce(path: string): string {
  if (!existsSync(path)) {
    makePrivateFolder(dirname(path));
    writeFileSync(path, `${makeKey()}\n`, { mode: 0o600, flag: "wx" });
  }
  return readKeyFile(path);
}
