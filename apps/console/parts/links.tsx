/** @jsxImportSource hono/jsx */
/** Links made of the page's own address: filters, order, the next page, the login that leads back. */
import type { Visit } from "../page.ts";

/** Null removes a parameter. The list's position is reset unless given, because other filters give other rows. */
export function addressWith(
  { url }: Pick<Visit, "url">,
  changes: Readonly<Record<string, string | null>>,
): string {
  const query = new URLSearchParams(url.search);
  for (const [name, value] of Object.entries({ after: null, cursor: null, ...changes })) {
    if (value === null || value === "") {
      query.delete(name);
    } else {
      query.set(name, value);
    }
  }
  const text = query.toString();
  return `${url.pathname}${text === "" ? "" : `?${text}`}`;
}

/** Of the login, which leads back to this page. */
export function loginAddress({ url }: Pick<Visit, "url">): string {
  return `/console/login?${new URLSearchParams({ to: `${url.pathname}${url.search}` })}`;
}

interface PagingProps {
  readonly visit: Visit;
  /** From the API's `Link`; null = last page. */
  readonly next: string | null;
  /** The API's parameter for the start of a page. */
  readonly parameter: "after" | "cursor";
}

export function Paging({ visit, next, parameter }: PagingProps) {
  const after = next === null ? null : new URL(next, visit.url).searchParams.get(parameter);
  const isFirst = !visit.query.has(parameter);
  return after === null && isFirst ? null : (
    <nav class="row" aria-label="Rows">
      {isFirst ? null : <a href={addressWith(visit, {})}>First page</a>}
      {after === null ? null : (
        <a href={addressWith(visit, { [parameter]: after })} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}

interface TabsProps {
  readonly label: string;
  /** Names with their labels. */
  readonly views: Readonly<Record<string, string>>;
  readonly current: string;
  readonly address: (view: string) => string;
}

/** Parts of one page, each with an address. */
export function Tabs({ label, views, current, address }: TabsProps) {
  return (
    <nav aria-label={label}>
      <ul class="tabs">
        {Object.entries(views).map(([view, word]) => (
          <li>
            <a href={address(view)} aria-current={view === current ? "page" : undefined}>
              {word}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
