/** @jsxImportSource hono/jsx */
/** A looking glass: the paths that routers have, by prefix, address, origin, AS in the path, community. */
import { type RouteAnswer, routeSearchAnswer, routesAnswer } from "../../../lib/base/api/routes.ts";
import { counted } from "../../../lib/base/terminal/figures.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { orFailure } from "../parts/failure.tsx";
import { Choice, Field } from "../parts/field.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { addressWith, loginAddress } from "../parts/links.tsx";
import { pathWith } from "../parts/list-path.ts";
import { Mark } from "../parts/mark.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Age, Time } from "../parts/time.tsx";

/** What fits on a page; the command shows all. */
const pathsMax = 500;
/** Each goes through a part of the table. */
const searchesMax = 12;
const searched = ["origin", "asn", "community"] as const;
const verdicts = { "": "any", accepted: "accepted", rejected: "rejected", unknown: "not known" } as const;

export const routesPage: ConsolePage = {
  path: "/console/routes",
  navigation: { word: "Routes", key: "r", isFor: "routes" },
  show: async (visit) => {
    const { collectors, query } = visit;
    const chosen = collectors.find(({ name }) => name === query.get("collector")) ?? collectors[0];
    return {
      title: "Routes",
      body: chosen === undefined ? <Missing visit={visit} /> : await Routes({ visit, collector: chosen }),
    };
  },
};

function Missing({ visit }: { readonly visit: Visit }) {
  return visit.person === null ? (
    <p>
      <a href={loginAddress(visit)}>Log in</a> to look up routes.
    </p>
  ) : (
    <p>
      The looking glass shows the routes that a collector receives from the exchanges' routers. No collector
      is configured for this page (console.collectors).
    </p>
  );
}

interface RoutesProps {
  readonly visit: Visit;
  readonly collector: Visit["collectors"][number];
}

async function Routes(props: RoutesProps) {
  const { visit, collector } = props;
  const { query } = visit;
  const isAsked = [...searched, "resource"].some((name) => givenIn(query, name) !== "");
  const found = isAsked ? await orFailure(foundIn(props)) : null;
  return (
    <>
      <form class="row" method="get" action="/console/routes">
        <Field
          label="Prefix or address"
          name="resource"
          value={query.get("resource")}
          hint="2001:db8::/48"
          grows
        />
        <Choice
          label="More specific"
          name="more"
          value={query.get("more") ?? ""}
          options={{ "": "no", true: "yes" }}
        />
        <Field label="Origin AS" name="origin" value={query.get("origin")} hint="64500" />
        <Field label="AS in the path" name="asn" value={query.get("asn")} />
        <Field label="Community" name="community" value={query.get("community")} hint="64500:1:4" />
        <Field
          label="Prefix or address at (UTC; empty: now)"
          name="at"
          type="datetime-local"
          value={query.get("at")}
        />
        <Choice label="Verdict" name="verdict" value={query.get("verdict") ?? ""} options={verdicts} />
        {visit.collectors.length > 1 ? (
          <Choice
            label="Collector"
            name="collector"
            value={collector.name}
            options={Object.fromEntries(visit.collectors.map(({ name }) => [name, name]))}
          />
        ) : null}
        <button type="submit" class="main">
          Look up
        </button>
      </form>
      {found === null ? (
        <Example visit={visit} />
      ) : (
        (found.failure?.body ?? <Found visit={visit} {...found.value} />)
      )}
    </>
  );
}

function Example({ visit }: { readonly visit: Visit }) {
  const [one, another] = ["2001:db8::1", "64500"].map((text, i) =>
    addressWith(visit, { [i === 0 ? "resource" : "origin"]: text }),
  );
  return (
    <p class="soft">
      The paths that the routers of the exchanges have now: <a href={one}>to an address</a>, to a prefix,{" "}
      <a href={another}>by their origin</a>. Each is shown as received and, where the router reports it, after
      its policy, with the reason of a refusal. By the command line:{" "}
      <code>vantage routes lookup 2001:db8::1</code>
    </p>
  );
}

interface Looked {
  readonly routes: readonly RouteAnswer[];
  /** Null = none was looked up, or no router has a path there. */
  readonly prefix: string | null;
  readonly isCut: boolean;
  /** The earlier time; null = now. */
  readonly at: string | null;
  /** The collector was not running then. */
  readonly wasAway: boolean;
}

async function foundIn({ visit: { query }, collector: { api } }: RoutesProps): Promise<Looked> {
  const resource = givenIn(query, "resource");
  if (resource !== "") {
    const asked = new URLSearchParams({ resource, limit: String(pathsMax) });
    if (query.get("more") === "true") {
      asked.set("more", "true");
    }
    const at = givenIn(query, "at");
    if (at !== "") {
      asked.set("at", `${at.length === 16 ? `${at}:00` : at}Z`);
    }
    const found = await api.get(pathWith("/api/routes", asked), routesAnswer);
    const routes = found.routes.filter((route) => isLike(route, query));
    return {
      routes,
      prefix: found.prefix,
      isCut: found.is_cut,
      at: found.at,
      wasAway: found.collector_was_away,
    };
  }
  const asked = new URLSearchParams({ limit: String(pathsMax) });
  for (const name of [...searched, "verdict"]) {
    const value = givenIn(query, name);
    if (value !== "") {
      asked.set(name, value);
    }
  }
  const routes: RouteAnswer[] = [];
  let next: number | null = 1;
  for (let i = 0; i < searchesMax && next !== null && routes.length < pathsMax; i++) {
    asked.set("from", String(next));
    const page: { routes: RouteAnswer[]; next: number | null } = await api.get(
      pathWith("/api/routes/search", asked),
      routeSearchAnswer,
    );
    routes.push(...page.routes);
    next = page.next;
  }
  return {
    routes: routes.slice(0, pathsMax),
    prefix: null,
    isCut: next !== null || routes.length > pathsMax,
    ...{ at: null, wasAway: false },
  };
}

/** A field of the form; an AS number may begin with AS. */
function givenIn(query: URLSearchParams, name: string): string {
  return (query.get(name) ?? "").trim().replace(/^AS(?=\d)/i, "");
}

/** The other fields, where a prefix is looked up. */
function isLike({ verdict, as_path: path, communities }: RouteAnswer, query: URLSearchParams): boolean {
  const [verdictAsked, origin, asn, community] = ["verdict", ...searched].map((name) => givenIn(query, name));
  const last = path.at(-1);
  return (
    (!verdictAsked || verdict === verdictAsked) &&
    (!origin || [last].flat().map(String).includes(origin)) &&
    (!asn || path.flat().map(String).includes(asn)) &&
    (!community || communities.some(({ value }) => value === community))
  );
}

function Found({ visit, routes, prefix, isCut, at, wasAway }: Partial<Looked> & { readonly visit: Visit }) {
  const all = routes ?? [];
  const routers = new Set(all.map(({ router }) => router)).size;
  const rejected = all.filter(({ verdict }) => verdict === "rejected").length;
  return (
    <section id="routes" aria-label="Routes">
      <p>
        {`${isCut ? "The first " : ""}${counted(all.length, "path")}`}
        {prefix ? ` to ${prefix}` : ""}
        {` of ${counted(routers, "router")}`}
        {rejected > 0 ? `, ${rejected} of them rejected` : ""}.
        {at ? (
          <>
            {" "}
            As of <Time at={at} />
            {wasAway ? ", when the collector was not running: routes by BMP are those before." : "."}
          </>
        ) : null}
        {isCut ? " The command line shows all: vantage routes lookup, vantage routes search." : ""}
      </p>
      <Table
        caption="Paths, as the collector has them"
        columns={columnsOf(visit)}
        rows={all}
        none="No router has such a path."
      />
    </section>
  );
}

const looks = { accepted: "good", rejected: "bad", unknown: "plain" } as const;

function columnsOf(visit: Visit): Column<RouteAnswer>[] {
  const only = (name: string, value: string) =>
    addressWith(visit, {
      resource: null,
      origin: null,
      asn: null,
      community: null,
      more: null,
      [name]: value,
    });
  return [
    { head: "Prefix", isName: true, cell: ({ prefix }) => <a href={only("resource", prefix)}>{prefix}</a> },
    { head: "Router", cell: ({ router }) => router },
    { head: "From", cell: ({ peer, peer_asn: asn }) => `${peer ?? "its own"} AS${asn}` },
    { head: "Table", cell: ({ table }) => table },
    {
      head: "Verdict",
      cell: ({ verdict, reason, is_stale: isStale }) => (
        <>
          {verdict === null ? "–" : <Mark look={looks[verdict]} word={verdict} />} {isStale ? "stale " : ""}
          {reason === null ? null : <Foreign text={reason} />}
        </>
      ),
    },
    { head: "RPKI", cell: ({ origin_validation: found, rpki }) => found?.state ?? rpki ?? "–" },
    {
      head: "AS path",
      cell: ({ as_path: path }) =>
        path.map((one) => (
          <>
            {typeof one === "number" ? (
              <a href={only("asn", String(one))}>{String(one)}</a>
            ) : (
              `{${one.join(",")}}`
            )}{" "}
          </>
        )),
    },
    { head: "Next hop", cell: ({ next_hop: hop }) => hop ?? "–" },
    {
      head: "Communities",
      cell: ({ communities }) =>
        communities.map(({ value, meaning }) => (
          <>
            <a href={only("community", value)}>{value}</a>
            {meaning === null ? "" : ` (${meaning})`}{" "}
          </>
        )),
    },
    { head: "Since", cell: ({ changed_at: at }) => <Age at={String(at)} nowMs={visit.nowMs} /> },
  ];
}
