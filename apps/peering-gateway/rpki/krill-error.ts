/** Why Krill has not done what it was asked; `message` is for operators, in the log. */
import type { Roa } from "./roa.ts";

/**
 * `unreachable`: no answer, or a failure of its own; `refused`: it does not take the token, or not for this;
 * `unknownCa`; `malformed`: an answer that is not Krill's; `rejected`: it took none of a change, for what `rejection`
 * names; `other`: what else it calls an error.
 */
type KrillFailure = "unreachable" | "refused" | "unknownCa" | "malformed" | "rejected" | "other";

/** What of a change stops all of it. */
interface Rejection {
  /** To be added, and there already; or to be removed, and not there: the list is not what it was taken for. */
  readonly mistaken: readonly Roa[];
  /** To be added, and not within what the CA holds. */
  readonly notHeld: readonly Roa[];
}

export class KrillError extends Error {
  override readonly name = "KrillError";
  readonly code: KrillFailure;
  /** Null but for `rejected`. */
  readonly rejection: Rejection | null;

  constructor(
    code: KrillFailure,
    message: string,
    { rejection = null, cause }: { rejection?: Rejection | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.rejection = rejection;
  }
}
