/** API paths of the shown results. */
import type { Visit } from "../../page.ts";
import { chosenOf, pathWith } from "../../parts/list-path.ts";

/** The page's parameters that select results. */
export const chosenBy = ["agent", "destination"] as const;

/** `AT/VIEW?agent=…`, with more parameters; `at` is the measurement's path: `/api/measurements/ID`. */
export function resultPath(
  visit: Pick<Visit, "query">,
  at: string,
  view: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const asked = new URLSearchParams([...chosenOf(visit, chosenBy), ...Object.entries(more)]);
  return pathWith(`${at}/${view}`, asked);
}
