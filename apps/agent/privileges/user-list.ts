/** Users of this machine, as /etc/passwd has them: a line each, `name:x:UID:GID:…` (passwd(5)). */
import { readFileSync } from "node:fs";
import type { UserIdentity } from "../../../ffi/privileges.ts";

/** `NAME`, or `UID:GID` for a user without an entry; null when the user does not exist. */
export function findUser(name: string): UserIdentity | null {
  const [, uid, gid] = /^(\d{1,10}):(\d{1,10})$/.exec(name) ?? [];
  if (uid !== undefined) {
    return { uid: Number(uid), gid: Number(gid) };
  }
  const fields = usersOf().find(([own]) => own === name);
  return fields === undefined ? null : { uid: Number(fields[2]), gid: Number(fields[3]) };
}

function usersOf(): string[][] {
  try {
    return readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"));
  } catch {
    return [];
  }
}
