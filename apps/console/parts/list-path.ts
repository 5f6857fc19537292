/** The API's addresses, with those parameters of the page's that are the API's too. */
import type { Visit } from "../page.ts";

/** Those of a page's parameters that have a value. */
export function chosenOf({ query }: Pick<Visit, "query">, names: readonly string[]): URLSearchParams {
  return new URLSearchParams(
    names.flatMap((name): [string, string][] => {
      const value = query.get(name) ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );
}

export function pathWith(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

/** A list, from where the page begins. */
export function listPath(path: string, visit: Pick<Visit, "query">, filters: readonly string[] = []): string {
  return pathWith(path, chosenOf(visit, ["after", ...filters]));
}
