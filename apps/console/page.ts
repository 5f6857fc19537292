/**
 * The definition of a console page. To add one:
 *
 * 1. Write `pages/NAME.tsx`, which exports a ConsolePage: its path below `/console`, its entry in the navigation, and
 *    `show`, which calls the API (`visit.api`) and returns a title and JSX. JSX escapes all text: never use
 *    `dangerouslySetInnerHTML` or `raw`, as agents, routers and users write what pages show.
 * 2. Put it into the list of `pages.ts`.
 * 3. State lies in the URL: read filters from `visit.query`, and make links that change them.
 * 4. Styles: what all pages share is in lib/base/pages; more is a file in `style/`, listed in `frame/files.ts`. The
 *    policy of the pages allows no `style` attributes: draw sizes in SVG attributes or by classes.
 * 5. What needs a script: a file in `client/` whose function gets the elements that it finds by a `data-` attribute,
 *    called in `client/console.ts` each time when content is new. Data for it is in attributes (`data-rows={json}`).
 *    The page must show the same without the script: a table.
 * 6. A scenario in `tests/browser/console.test.ts`: the browser reads it in both themes and at 320 px.
 *
 * Content that changes by itself: give an element an `id` and `data-live={URL of an event stream}` or
 * `data-every-s`: the script fetches the page again and replaces the elements that have changed (client/live.ts).
 * A form with `data-call="PUT /api/…"` calls the API with its fields as JSON (client/forms.ts), and shows the outcome
 * in the status line; nothing else changes anything.
 */
import type { Child } from "hono/jsx";
import type { ApiClient } from "./api-client.ts";

export interface ConsolePage {
  /** A Hono path: `/console/measurements/:id`. */
  readonly path: string;
  /** Absent: linked from another page. */
  readonly navigation?: {
    readonly word: string;
    /** The letter after `g`. */
    readonly key: string;
    /** Absent: for everyone. */
    readonly isFor?: "operators" | "peering" | "routes";
  };
  readonly show: (visit: Visit) => Promise<View>;
}

/** A request for a page. */
export interface Visit {
  /** Its path with the query, to which a form or a link returns. */
  readonly url: URL;
  readonly query: URLSearchParams;
  /** Whether the part of the page with this id is requested: live parts are fetched alone. */
  readonly isAsked: (id: string) => boolean;
  /** Empty for a name that is not in the path. */
  readonly param: (name: string) => string;
  /** Null = not logged in. */
  readonly person: Person | null;
  /** The API of the gateway that serves the page, on behalf of the visitor. */
  readonly api: ApiClient;
  /** The peering gateway's; null = none is configured. */
  readonly peering: ApiClient | null;
  /** Exchange servers. They return all users' sessions, so pages must filter by visitor. */
  readonly exchanges: readonly { readonly name: string; readonly api: ApiClient }[];
  /** Those whose routes the visitor may query. */
  readonly collectors: readonly { readonly name: string; readonly api: ApiClient }[];
  readonly nowMs: number;
}

export interface Person {
  /** The same as in the audit log and operators' lists. */
  readonly userHash: string;
  readonly isOperator: boolean;
  /** From the login; null = not in its token. */
  readonly name?: string | null;
}

export interface View {
  /** Heading and window title; text. */
  readonly title: string;
  readonly body: Child;
  /** Default 200. */
  readonly status?: 200 | 400 | 401 | 403 | 404 | 429 | 502 | 503;
}
