/** API paths, with the page's parameters that the API also has. */
import type { Visit } from "../page.ts";

/** A page's non-empty parameters. */
export function chosenOf({ query }: Pick<Visit, "query">, names: readonly string[]): URLSearchParams {
  return new URLSearchParams(
    names.flatMap((name): [string, string][] => {
      const value = query.get(name) ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
}

export function pathWith(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/** A list with the number of all rows, from the page's start; `list`: prefix of its parameters. */
export function listPath(
  path: string,
  visit: Pick<Visit, "query">,
  filters: readonly string[] = [],
  list = "",
): string {
  const query = chosenOf(visit, filters);
  const after = visit.query.get(`${list}after`) ?? "";
  if (after !== "") {
    query.set("after", after);
  }
  query.set("count", "true");
  return pathWith(path, query);
}
