/** What a view of results is: one API request, shown as a picture with its sentence and a table. */
import type { Child } from "hono/jsx";
import type { Visit } from "../../page.ts";

/** The measurement. */
export interface Seen {
  readonly visit: Visit;
  /** Its path in the API. */
  readonly at: string;
  readonly isOver: boolean;
}

export interface ShownView {
  readonly word: string;
  readonly show: (seen: Seen) => Promise<Shown>;
}

export interface Shown {
  readonly body: Child;
  /** Whether there are results. */
  readonly hasResults: boolean;
  /** Requested context of addresses; null = none. */
  readonly asked: string | null;
}
