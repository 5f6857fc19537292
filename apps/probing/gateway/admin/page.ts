/** Query parameters of the admin API's lists. */
import * as v from "valibot";
import { pageQuery as anyPageQuery } from "../../../../lib/engines/http/page.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";

/** `after` is the last id of the previous page. */
export const pageQuery = { ...anyPageQuery, after: v.optional(plainText(255)) };
