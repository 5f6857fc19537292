/** Paths of the API for what is seen. */
import type { Visit } from "../../page.ts";
import { chosenOf, pathWith } from "../../parts/list-path.ts";

/** Parameters of the page that choose results. */
export const chosenBy = ["agent", "destination"] as const;

/** `AT/VIEW?agent=…`, with more parameters; `at` is where the API has the measurement: `/api/measurements/ID`. */
export function resultPath(
  visit: Pick<Visit, "query">,
  at: string,
  view: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const asked = new URLSearchParams([...chosenOf(visit, chosenBy), ...Object.entries(more)]);
  return pathWith(`${at}/${view}`, asked);
}
