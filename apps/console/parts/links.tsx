/** @jsxImportSource hono/jsx */
/** Links made of the page's own address: filters, order, the next page, the login that leads back. */
import type { Visit } from "../page.ts";

/** Null removes a parameter. The list's position is reset unless given, because other filters give other rows. */
export function addressWith(
  { url }: Pick<Visit, "url">,
  changes: Readonly<Record<string, string | null>>,
): string {
  const query = new URLSearchParams(url.search);
  for (const [name, value] of Object.entries({ after: null, cursor: null, row: null, ...changes })) {
    if (value === null || value === "") {
      query.delete(name);
    } else {
      query.set(name, value);
    }
  }
  const text = query.toString();
  return `${url.pathname}${text === "" ? "" : `?${text}`}`;
}

/** Number of the first row on this page of a list; `list`: prefix of its parameters. */
export function rowOf({ query }: Pick<Visit, "query">, list = ""): number {
  const text = query.get(`${list}row`) ?? "";
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

/** Of the login, which leads back to this page. */
export function loginAddress({ url }: Pick<Visit, "url">): string {
  return `/console/login?${new URLSearchParams({ to: `${url.pathname}${url.search}` })}`;
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
