/** The API's address of a list, with those parameters of the page's that are the list's too. */
import type { Visit } from "../page.ts";

export function listPath(
  path: string,
  { query }: Pick<Visit, "query">,
  filters: readonly string[] = [],
): string {
  const own = ["after", ...filters].flatMap((name): [string, string][] => {
    const value = query.get(name) ?? "";
    return value === "" ? [] : [[name, value]];
  });
  return own.length === 0 ? path : `${path}?${new URLSearchParams(own)}`;
}
