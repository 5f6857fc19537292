/** @jsxImportSource hono/jsx */
/** The frame around each page: header, navigation, account, keyboard shortcuts, footer. */
import type { Child } from "hono/jsx";
import type { ConsolePage, Person, Visit } from "../page.ts";
import { Foreign } from "../parts/foreign.tsx";
import { loginAddress } from "../parts/links.tsx";
import { Time } from "../parts/time.tsx";
import type { ConsoleFiles } from "./files.ts";

interface LayoutProps {
  readonly title: string;
  readonly pages: readonly ConsolePage[];
  /** The current page; null = none of them, as after a failure. */
  readonly current: ConsolePage | null;
  readonly visit: Pick<Visit, "url" | "person" | "peering" | "collectors" | "nowMs">;
  readonly files: ConsoleFiles;
  /** CSRF token of changes; null = nothing can be changed. */
  readonly csrf: string | null;
  readonly login: "possible" | "not needed" | "not configured";
  readonly children?: Child;
}

export function Layout(props: LayoutProps) {
  const { title, files, csrf, visit, children } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {csrf === null ? null : <meta name="csrf" content={csrf} />}
        <title>{`${title} · Vantage`}</title>
        <link rel="icon" href={`/console/files/${files.icon.name}`} />
        <link rel="stylesheet" href={`/console/files/${files.style.name}`} />
        <script type="module" src={`/console/files/${files.script.name}`} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="top">
          <a class="brand" href="/console">
            Vantage
          </a>
          <Navigation {...props} />
          <Account {...props} />
        </header>
        <main id="main" tabindex={-1}>
          <h1>{title}</h1>
          {children}
        </main>
        <div id="said" role="status" class="said" />
        <footer class="foot">
          <span>
            As of <Time at={visit.nowMs} />
          </span>
          <a href="/console/public">Public results</a>
          <a href="/docs">API</a>
          <button type="button" class="quiet" data-keys-button>
            Keys <kbd>?</kbd>
          </button>
        </footer>
        <Keys pages={shownPages(props)} />
      </body>
    </html>
  );
}

function Navigation(props: LayoutProps) {
  return (
    <nav aria-label="Pages">
      <ul>
        {shownPages(props).map((page) => (
          <li>
            <a href={page.path} data-key={page.navigation?.key} aria-current={currentOf(page, props.current)}>
              {page.navigation?.word}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A page below the entry's, as one measurement, is in its section. */
function currentOf({ path }: ConsolePage, current: ConsolePage | null): "page" | "true" | undefined {
  if (current === null) {
    return undefined;
  }
  return current.path === path ? "page" : current.path.startsWith(`${path}/:`) ? "true" : undefined;
}

/** The visitor's navigation entries; the API decides about rights, not this list. */
function shownPages({ pages, visit }: LayoutProps): readonly ConsolePage[] {
  return pages.filter(({ navigation }) => {
    switch (navigation?.isFor) {
      case "operators":
        return visit.person?.isOperator === true;
      case "peering":
        return visit.peering !== null;
      case "routes":
        return visit.collectors.length > 0;
      default:
        return navigation !== undefined;
    }
  });
}

function Account({ visit, login }: LayoutProps) {
  if (login !== "possible") {
    return (
      <p class="account soft">
        {login === "not needed" ? (
          <a href="/console/account">All users are test-user-id</a>
        ) : (
          "No logins here"
        )}
      </p>
    );
  }
  return visit.person === null ? (
    <p class="account">
      <a class="button" href={loginAddress(visit)}>
        Log in
      </a>
    </p>
  ) : (
    <form class="account" data-call="POST /console/logout" data-then="/console">
      <a href="/console/account" title={`User ${visit.person.userHash}`}>
        {visit.person.isOperator ? "Operator" : "User"} <PersonName person={visit.person} />
      </a>
      <button type="submit">Log out</button>
    </form>
  );
}

/** Scopes of operators, any of which suffices. */
function PersonName({ person: { name = null, userHash } }: { readonly person: Person }) {
  return name === null ? <code>{userHash.slice(0, 8)}</code> : <Foreign text={name} />;
}

function Keys({ pages }: { readonly pages: readonly ConsolePage[] }) {
  return (
    <dialog id="keys" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {pages.map(({ navigation }) => (
          <div>
            <dt>
              <kbd>g</kbd> <kbd>{navigation?.key}</kbd>
            </dt>
            <dd>{navigation?.word}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>First field</dd>
        </div>
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>These keys</dd>
        </div>
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Close, or leave a field</dd>
        </div>
      </dl>
      <p>
        <label>
          <input type="checkbox" data-keys-switch checked /> Use single-key shortcuts
        </label>
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
