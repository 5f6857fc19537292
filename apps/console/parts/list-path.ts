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
  return query.size === 0 ? path : `${path}?${query}`;
}

/** A list, from the page's start. */
export function listPath(path: string, visit: Pick<Visit, "query">, filters: readonly string[] = []): string {
  return pathWith(path, chosenOf(visit, ["after", ...filters]));
}
