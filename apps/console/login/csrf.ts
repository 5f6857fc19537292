/** Prevents other sites' pages from changing anything through a logged-in browser. */
import type { Context } from "hono";
import { hashKey, sameHash } from "../../../lib/engines/auth/secret-key.ts";
import { problem } from "../../../lib/engines/http/problem.ts";
import type { Visitor } from "./sessions.ts";

/** Another site's form cannot send it, and its scripts need a CORS preflight, which we refuse. */
const csrfHeader = "x-csrf";

/** Throws Problem 403, independent of the cookie, unless the header has our own pages' token. */
export function checkCsrf(c: Context, { csrf }: Pick<Visitor, "csrf">): void {
  const given = c.req.header(csrfHeader) ?? "";
  if (csrf === null || !sameHash(hashKey(given), hashKey(csrf))) {
    throw problem(
      403,
      "foreign_request",
      "This request does not come from a page of this console; load the page again",
    );
  }
}
