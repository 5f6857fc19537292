/**
 * Whether the reader of an answer that takes long may still have it: asked again while it is being sent, so that a
 * token that was revoked, a login that has expired, and a link that was taken back end it within 2 s.
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

/** Throws when no one has said how to check: such a bug must not leave a stream open for ever. */
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

/** An issuer or a database that is unavailable takes no right away: it is asked again. */
function isRefusal(error: unknown): boolean {
  const problem = isFailure(error, "auth") ? authProblem(error) : error;
  return problem instanceof Problem && problem.status < 500 && problem.status !== 429;
}
