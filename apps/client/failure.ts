/** How the commands of this app end. */
export { UsageError } from "../../lib/config/command-line.ts";
export { quoted } from "../../lib/config/option-values.ts";
export { systemReason } from "../../lib/config/system-reason.ts";

export const exitCodes = { ok: 0, failure: 1, usage: 2, partial: 3, interrupted: 130 } as const;

/** Something that the user can put right; the message names it and says how. */
export class ClientError extends Error {}
