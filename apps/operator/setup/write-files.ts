/** Writes planned files: whole or not at all, with mode and group whatever the umask is. */
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { PlannedFile } from "./planned-file.ts";

export function writePlanned(prefix: string, file: PlannedFile): void {
  const path = join(prefix, file.path);
  makeFolders(dirname(path));
  const making = `${path}.setup-new`;
  rmSync(making, { force: true });
  writeFileSync(making, file.text, { mode: 0o600, flag: "wx" });
  setAccess(prefix, making, file);
  renameSync(making, path);
}

/**
 * Returns the group's name when it does not exist here yet: the file is then root's alone. Below another prefix, owners
 * are those who run it.
 */
export function setAccess(prefix: string, path: string, { mode, group }: PlannedFile): string | null {
  const isRoot = prefix === "/" && process.getuid?.() === 0;
  const gid = group === null || !isRoot ? null : groupId(group);
  if (isRoot && !lstatSync(path).isSymbolicLink()) {
    chownSync(path, 0, gid ?? 0);
  }
  const isMissing = group !== null && isRoot && gid === null;
  chmodSync(path, isMissing ? 0o600 : mode);
  return isMissing ? group : null;
}

/** Services read below these folders, which a restore makes for root alone. */
export function openFolder(prefix: string, { path }: Pick<PlannedFile, "path">): void {
  const folder = dirname(path);
  if (folder === "/etc/vantage" || folder.startsWith("/etc/vantage/")) {
    chmodSync(join(prefix, folder), 0o755);
    openFolder(prefix, { path: folder });
  }
}

export function removePlanned(prefix: string, path: string): void {
  rmSync(join(prefix, path), { force: true });
}

/** Missing folders, 755: services read below them. */
function makeFolders(folder: string): void {
  const umask = process.umask(0o022);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
  } finally {
    process.umask(umask);
  }
  if (!statSync(folder).isDirectory()) {
    throw new Error(`Cannot write below ${folder}: it is not a folder`);
  }
}

function groupId(name: string): number | null {
  const line = readFileSync("/etc/group", "utf8")
    .split("\n")
    .find((one) => one.startsWith(`${name}:`));
  return line === undefined ? null : Number(line.split(":")[2]);
}
