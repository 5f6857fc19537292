/** Paths of the API for what is seen. */
import type { Visit } from "../../page.ts";

/** Parameters of the page that choose results. */
export const chosenBy = ["agent", "destination"] as const;

/** `/api/measurements/ID/VIEW?agent=…`; null leaves a parameter out. */
export function resultPath(
  { query }: Pick<Visit, "query">,
  id: string,
  view: string,
  more: Readonly<Record<string, string | null>>,
): string {
  const asked = new URLSearchParams();
  for (const [name, value] of [...chosenBy.map((one) => [one, query.get(one)]), ...Object.entries(more)]) {
    if (value !== null && value !== "" && value !== undefined && name !== null && name !== undefined) {
      asked.set(name, value);
    }
  }
  const path = `/api/measurements/${encodeURIComponent(id)}/${view}`;
  return asked.size === 0 ? path : `${path}?${asked}`;
}
