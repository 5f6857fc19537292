/** Keeps pages of others from changing anything by a browser that is logged in here. */
import type { Context } from "hono";
import { hashKey, sameHash } from "../../../lib/engines/auth/secret-key.ts";
import { problem } from "../../../lib/engines/http/problem.ts";
import type { Visitor } from "./sessions.ts";

/** A form of another page cannot send it, and its scripts are asked by the browser first, which we refuse. */
const csrfHeader = "x-csrf";

/** Throws Problem 403, whatever the cookie says, unless the header has the token that our own pages have. */
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
