/** @jsxImportSource hono/jsx */
/** The page's views of results: each makes one API request, and has a picture, its sentence, and its table. */
import type { Child } from "hono/jsx";
import { figureRowsDefault } from "../../../../lib/answers/results/limits.ts";
import { viewOf } from "../../../../lib/answers/results/views.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Flow } from "../../../../lib/measuring/pictures/path/boxes.ts";
import { nextHopsText } from "../../../../lib/measuring/pictures/path/next-hops.ts";
import { pathPicture } from "../../../../lib/measuring/pictures/path/path-picture.ts";
import type { PicturedPath } from "../../../../lib/measuring/pictures/path/picture-path.ts";
import { ApiProblem } from "../../api-client.ts";
import type { Visit } from "../../page.ts";
import { type ApiRow, columnsOf, rowsAnswer, rowsMax } from "../../parts/api-rows.tsx";
import { addressWith, rowOf } from "../../parts/links.tsx";
import { PagedTable } from "../../parts/paging.tsx";
import { GraphFrame, PictureFrame } from "../../parts/picture.tsx";
import { CatchmentMap } from "./catchment-map.tsx";
import { HopTimes } from "./hop-times.tsx";
import { resultPath } from "./result-path.ts";

/** The measurement. */
interface Seen {
  readonly visit: Visit;
  /** Its path in the API. */
  readonly at: string;
  readonly isOver: boolean;
}

interface ShownView {
  readonly word: string;
  readonly show: (seen: Seen) => Promise<Shown>;
}

interface Shown {
  readonly body: Child;
  /** Whether there are results. */
  readonly hasResults: boolean;
  /** Requested context of addresses; null = none. */
  readonly asked: string | null;
}

export const shownViews = {
  paths: { word: "Paths", show: showPaths },
  loss: charted("loss", "Loss", {
    ...{ destination: "Destination", loss_percent: "Loss %", lost: "Lost", agent: "Agent" },
    ...{ submitted: "Submitted", answered: "Answered", duplicates: "Duplicates" },
  }),
  heatmap: charted("heatmap", "Round-trip times", {
    ...{ time: "From (UTC)", width_ms: "Width ms", replies: "Answers", rtt_p5_ms: "5th percentile (ms)" },
    ...{ rtt_median_ms: "Median (ms)", rtt_p95_ms: "95th percentile (ms)" },
  }),
  catchment: charted("catchment", "Catchment", {
    ...{ probe_agent: "Sent by", probe_instance: "Instance", heard_by: "Received by", replies: "Answers" },
    ...{ share_percent: "Share %", destinations: "Destinations", responders: "Responders" },
  }),
  replies: charted("replies", "Answers", {
    ...{ probe_ttl: "TTL", reply_src_addr: "From", rtt_ms: "RTT ms", time_received: "Received (UTC)" },
    ...{ agent_id: "Received by", probe_dst_addr: "Destination", probe_protocol: "Protocol" },
    ...{ probe_src_port: "Port", says: "Reply" },
  }),
} as const satisfies Readonly<Record<string, ShownView>>;

/** The usual replies have no words of their own in the views. */
function named(row: ApiRow): ApiRow {
  const isEcho = row.reply_icmp_type === 0 || row.reply_icmp_type === 129;
  return row.says === "" ? { ...row, says: isEcho ? "echo reply" : "time exceeded" } : row;
}

/** A view whose rows are those of its table, with a picture where it has one. */
function charted(
  name: "loss" | "heatmap" | "catchment" | "replies",
  word: string,
  heads: Readonly<Record<string, string>>,
): ShownView {
  return {
    word,
    show: async ({ visit, at, isOver }) => {
      // A reply's row is large: one more than the page has.
      const limit = name === "replies" ? rowOf(visit) + rowsMax : viewOf(name).limitDefault;
      const query = limit === null ? {} : { limit: String(limit) };
      const rows = await visit.api.get(resultPath(visit, at, name, query), rowsAnswer);
      const picture = viewOf(name).picture?.(rows);
      const frame = picture === undefined ? null : <PictureFrame picture={picture} />;
      const byHop = name === "heatmap" && rows.length > 0 ? await HopTimes({ visit, at }) : null;
      const body = (
        <>
          {byHop}
          {byHop === null ? frame : <OverTime>{frame}</OverTime>}
          <PagedTable
            visit={visit}
            caption={`${word}, as the API has them`}
            columns={columnsOf(heads, visit)}
            rows={rows.map(named)}
            isCut={rows.length === limit}
            none="Nothing yet: answers may be on their way."
          />
          {name === "catchment" && rows.length > 0 ? await mapOf({ visit, at, isOver }) : null}
        </>
      );
      return { body, hasResults: rows.length > 0, asked: null };
    },
  };
}

/** The few replies of a trace are slivers there. */
function OverTime({ children }: { readonly children?: Child }) {
  return (
    <details>
      <summary>Over time</summary>
      {children}
    </details>
  );
}

/** A map of ended measurements only: while one runs, thousands of replies would be fetched every few seconds. */
async function mapOf({ visit, at, isOver }: Seen): Promise<Child> {
  return isOver ? (
    await CatchmentMap({ visit, at })
  ) : (
    <p class="soft">The map is drawn when the measurement has ended.</p>
  );
}

/** Paths of a graph: with many, routers are groups of ASes and prefixes. */
const pathsShown = 200;

/** All context that a gateway's sets have for a router's address. */
const context = "asn,ixp,geo,rpki";

/** A gateway without a set of context refuses the request. */
async function knownPaths(visit: Visit, at: string) {
  const ask = (more: Readonly<Record<string, string>>) =>
    visit.api.get(resultPath(visit, at, "paths", { limit: String(pathsShown), ...more }), rowsAnswer);
  try {
    return { rows: await ask({ with: context }), asked: context };
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "no_context") {
      return { rows: await ask({}), asked: null };
    }
    throw error;
  }
}

async function showPaths({ visit, at }: Seen): Promise<Shown> {
  const { rows, asked } = await knownPaths(visit, at);
  const paths = rows as unknown as readonly PicturedPath[];
  const open = openedOf(visit);
  const drawn = (flow: Flow) => pathPicture(paths, { open, flow, isInteractive: true });
  const right = drawn("right");
  const { foldedTtls, nextHops } = right;
  const routers = paths.flatMap(routersOf).map((router) => {
    const next = nextHops.get(`${router.ttl}/${router.address}`);
    return next === undefined ? router : { ...router, next_hops: nextHopsText(next) };
  });
  const body = (
    <>
      {paths.length === pathsShown ? <OnlyFirst paths={paths} all={await destinationsOf(visit, at)} /> : null}
      <GraphFrame draw={(flow) => (flow === "right" ? right : drawn(flow))} />
      <Folded visit={visit} open={open} ttls={foldedTtls} />
      <PagedTable
        visit={visit}
        caption="Hops, as the API has them"
        columns={columnsOf(
          {
            ...usefulHeads(hopHeads, routers),
            ...(nextHops.size === 0 ? {} : { next_hops: "Next hops" }),
            ...(asked === null ? {} : usefulHeads(contextHeads, routers)),
          },
          visit,
        )}
        rows={routers}
        none="No path yet: answers may be on their way."
      />
    </>
  );
  return { body, hasResults: routers.some(({ answered }) => Number(answered) > 0), asked };
}

/** First what one came for: the others are scrolled to on a phone. */
const hopHeads: Readonly<Record<string, string>> = {
  ...{ ttl: "TTL", address: "Router", loss_percent: "Loss %", rtt_median_ms: "Median ms" },
  ...{ rtt_min_ms: "Best ms", rtt_max_ms: "Worst ms", flow_count: "Flows", probes: "Probes" },
  ...{ answered: "Answered", agent: "Agent", destination: "Destination", labels: "MPLS", says: "Says" },
};
/** Left out where no row has any, or all have the same. */
const dullHeads = ["agent", "destination", "labels", "says", "exchange", "place", "rpki"];

function usefulHeads(
  heads: Readonly<Record<string, string>>,
  routers: readonly ApiRow[],
): Readonly<Record<string, string>> {
  const isDull = (name: string) => {
    const values = new Set(routers.map((router) => router[name] || null));
    const isPair = name === "agent" || name === "destination";
    return isPair ? values.size === 1 : values.size === 0 || (values.size === 1 && values.has(null));
  };
  return Object.fromEntries(
    Object.entries(heads).filter(([name]) => !(dullHeads.includes(name) && isDull(name))),
  );
}

const contextHeads: Readonly<Record<string, string>> = {
  ...{ as: "AS", exchange: "Exchange", place: "Place (a guess)", rpki: "RPKI" },
};

type ContextRouter = PicturedPath["hops"][number]["routers"][number] & {
  readonly ixp?: { readonly name: string } | null;
  readonly geo?: { readonly city: string | null; readonly country: string | null } | null;
};

function routersOf({ agent, address: destination, hops }: PicturedPath): ApiRow[] {
  return hops.flatMap(({ ttl, routers }) =>
    routers.map((router: ContextRouter) => ({
      ...router,
      ...{ agent, destination, ttl, flow_count: router.flows.length },
      address: router.address ?? "no answer",
      as: router.asn == null ? null : `AS${router.asn} ${router.as_name ?? ""}`.trim(),
      exchange: router.ixp?.name ?? null,
      place: [router.geo?.city, router.geo?.country].filter(Boolean).join(", ") || null,
      labels: router.mpls_labels.length === 0 ? null : router.mpls_labels.length,
    })),
  );
}

function openedOf({ query }: Visit): ReadonlySet<number> {
  return new Set((query.get("open") ?? "").split(",").filter(Boolean).map(Number));
}

function Folded({ visit, open, ttls }: { visit: Visit; open: ReadonlySet<number>; ttls: readonly number[] }) {
  return ttls.length === 0 ? null : (
    <p>
      Show all routers of TTL{" "}
      {ttls.map((ttl) => (
        <>
          <a data-opens={String(ttl)} href={addressWith(visit, { open: [...open, ttl].join() })}>
            {String(ttl)}
          </a>{" "}
        </>
      ))}
    </p>
  );
}

/** Replies by destination: without a picture, so that there is room for all of them. */
async function destinationsOf(visit: Visit, at: string): Promise<string> {
  const rows = await visit.api.get(resultPath(visit, at, "loss"), rowsAnswer);
  const { size } = new Set(rows.map(({ destination }) => destination));
  return rows.length >= figureRowsDefault ? `${grouped(size)} or more` : grouped(size);
}

/** The API returns the first paths by destination; picture and table below have only these. */
function OnlyFirst({ paths, all }: { readonly paths: readonly PicturedPath[]; readonly all: string }) {
  const { size } = new Set(paths.map(({ address }) => address));
  const first = `Only the first ${grouped(paths.length)} paths are shown`;
  return (
    <p>
      <strong>{`${first}, to ${grouped(size)} of ${all} destinations.`}</strong> Choose a destination or a
      prefix above, or take all of them from the exports below.
    </p>
  );
}
