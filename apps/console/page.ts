/**
 * What a page of the console is. To add one:
 *
 * 1. Write `pages/NAME.tsx`, which exports a ConsolePage: its path below `/console`, its entry in the navigation, and
 *    `show`, which asks the API (`visit.api`) and returns a title and JSX. JSX escapes all text: never use
 *    `dangerouslySetInnerHTML` or `raw`, as agents, routers and users write what pages show.
 * 2. Put it into the list of `pages.ts`.
 * 3. State lies in the URL: read filters from `visit.query`, and make links that change them.
 * 4. Styles: what all pages share is in lib/base/pages; more is a file in `style/`, listed in `frame/files.ts`. The
 *    policy of the pages allows no `style` attributes: draw sizes in SVG attributes or by classes.
 * 5. What needs a script: a file in `client/` whose function gets the elements that it finds by a `data-` attribute,
 *    called in `client/console.ts` each time when content is new. Data for it is in attributes (`data-rows={json}`).
 *    The page must say the same without the script: a table.
 * 6. A scene in `tests/browser/console.test.ts`: the browser reads it in both themes and at 320 px.
 *
 * Content that changes by itself: give an element an `id` and `data-live={URL of an event stream}` or
 * `data-every-s`: the script asks for the page again and replaces the elements that have changed (client/live.ts).
 * A form with `data-call="PUT /api/…"` calls the API with its fields as JSON (client/forms.ts); nothing else changes
 * anything, and it says there what came of it.
 */
import type { Child } from "hono/jsx";
import type { ApiClient } from "./api-client.ts";

export interface ConsolePage {
  /** As Hono writes paths: `/console/measurements/:id`. */
  readonly path: string;
  /** Left out: reached from another page. */
  readonly navigation?: {
    readonly word: string;
    /** The letter after `g`. */
    readonly key: string;
    /** Left out: everybody has use for it. */
    readonly isFor?: "operators" | "peering";
  };
  readonly show: (visit: Visit) => Promise<View>;
}

/** One look at a page. */
export interface Visit {
  /** Its path with the query: where a form or a link leads back to. */
  readonly url: URL;
  readonly query: URLSearchParams;
  /** Whether the part of the page with this id is wanted: one that renews itself is asked for alone. */
  readonly isAsked: (id: string) => boolean;
  /** Empty for a name that the path has not. */
  readonly param: (name: string) => string;
  /** Null = not logged in. */
  readonly person: Person | null;
  /** The API of the gateway that shows the page, as the person who looks. */
  readonly api: ApiClient;
  /** The peering gateway's; null = none is configured. */
  readonly peering: ApiClient | null;
  /** Exchange servers: they tell the gateway of everybody, so a page shows each person their own. */
  readonly exchanges: readonly { readonly name: string; readonly api: ApiClient }[];
  readonly nowMs: number;
}

export interface Person {
  /** As in the audit and in administrators' lists. */
  readonly userHash: string;
  readonly isOperator: boolean;
  /** By the login; null = its token does not say. */
  readonly name?: string | null;
}

export interface View {
  /** Stands above the page and in its window; text. */
  readonly title: string;
  readonly body: Child;
  /** Default 200. */
  readonly status?: 200 | 400 | 401 | 403 | 404 | 429 | 502 | 503;
}
