/** Checks that a service can write to its folder, and the free space. */
import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type Finding, fail, ok, warn } from "../finding.ts";
import { freeBytesFail, freeBytesWarn } from "../limits.ts";

/** For a missing folder, checks where it will be created. */
export function diskSpace(what: string, folder: string): Finding {
  const place = existingPart(folder);
  try {
    accessSync(place, constants.W_OK);
  } catch {
    return fail(what, `this user may not write to ${place}`, `run as its owner, or: chown -R USER ${place}`);
  }
  const { bavail, bsize } = statfsSync(place);
  const freeBytes = bavail * bsize;
  const found = `${folder}: ${Math.floor(freeBytes / (1 << 20))} MiB free`;
  if (freeBytes >= freeBytesWarn) {
    return ok(what, found);
  }
  const next = `make room there (see: df ${place})`;
  return freeBytes < freeBytesFail ? fail(what, found, next) : warn(what, found, next);
}

function existingPart(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingPart(dirname(folder));
}
