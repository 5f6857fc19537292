/** Reasons of system errors, in words for the user. */

const words: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "no permission",
  EPERM: "no permission",
  EISDIR: "it is a folder",
  ENOTDIR: "it is not a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EADDRINUSE: "another program listens there",
  EADDRNOTAVAIL: "it is not an address of this machine",
};

/** The words of a system error, else its code, else its text. */
export function systemReason(error: unknown): string {
  const code = systemCode(error);
  return words[code] ?? code;
}

/** The code of a system error (`ENOSPC`), or its text. */
function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : textOf(error);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
