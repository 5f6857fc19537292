/** How the commands of this app end. */
export { UsageError } from "../../lib/config/command-line.ts";
export { quoted } from "../../lib/config/option-values.ts";

export const exitCodes = { ok: 0, failure: 1, usage: 2, partial: 3, interrupted: 130 } as const;

/** Something that the user can put right; the message names it and says how. */
export class ClientError extends Error {}

/** The code of a system error (`ENOSPC`), or its text. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** Why the system refused, in words where there are better ones than its code. */
export function systemReason(error: unknown): string {
  const words: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file",
    EACCES: "no permission",
    EPERM: "no permission",
    EISDIR: "it is a folder",
    ENOTDIR: "it is no folder",
    ENOSPC: "the disk is full",
    EDQUOT: "the disk quota is used up",
    EROFS: "the file system is read-only",
  };
  const code = systemCode(error);
  return words[code] ?? code;
}
