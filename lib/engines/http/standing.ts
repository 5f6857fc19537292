/**
 * Whether the reader of a long response is still authorised: checked repeatedly while it is sent, so that a revoked
 * token, an expired login, or a revoked link ends it within 2 s.
 */
import type { Context } from "hono";
import { isFailure } from "../../base/failure/failure.ts";
import type { HttpEnv } from "./app.ts";
import { authProblem } from "./failure-problem.ts";
import { standingEveryMs } from "./limits.ts";
import { Problem } from "./problem.ts";

/** Disposing ends the checks. */
export interface Standing extends Disposable {
  /** Aborted when the reader may have it no longer. */
  readonly signal: AbortSignal;
}

/** Throws when no check was registered: such a bug must not leave a stream open. */
export function standingOf(c: Context<HttpEnv>): Standing {
  const check = c.get("checkAgain");
  if (check === undefined) {
    throw new Error(`Cannot stream ${c.req.path}: nothing checks again whether its reader may have it`);
  }
  const end = new AbortController();
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy) {
      return;
    }
    isBusy = true;
    const isOver = await check().then(() => false, isRefusal);
    isBusy = false;
    if (isOver) {
      clearInterval(timer);
      end.abort();
    }
  }, standingEveryMs);
  return { signal: end.signal, [Symbol.dispose]: () => clearInterval(timer) };
}

/** An unavailable issuer or database revokes no right: it is checked again. */
function isRefusal(error: unknown): boolean {
  const problem = isFailure(error, "auth") ? authProblem(error) : error;
  return problem instanceof Problem && problem.status < 500 && problem.status !== 429;
}
