/** @jsxImportSource hono/jsx */
/** The view of paths: the graph of all, what a NAT has changed on the way, and every hop's figures. */
import { figureRowsDefault } from "../../../../lib/answers/results/limits.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { jsonRewritingMarks } from "../../../../lib/measuring/paths/rewriting.ts";
import type { Flow } from "../../../../lib/measuring/pictures/path/boxes.ts";
import { isEnough, type NextHops } from "../../../../lib/measuring/pictures/path/next-hops.ts";
import { pathPicture } from "../../../../lib/measuring/pictures/path/path-picture.ts";
import type { PicturedPath } from "../../../../lib/measuring/pictures/path/picture-path.ts";
import { ApiProblem } from "../../api-client.ts";
import type { Visit } from "../../page.ts";
import { type ApiRow, columnsOf, rowsAnswer } from "../../parts/api-rows.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { addressWith } from "../../parts/links.tsx";
import { PagedTable } from "../../parts/paging.tsx";
import { GraphFrame } from "../../parts/picture.tsx";
import { resultPath } from "./result-path.ts";
import type { Seen, Shown } from "./shown-view.ts";

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

export async function showPaths({ visit, at }: Seen): Promise<Shown> {
  const { rows, asked } = await knownPaths(visit, at);
  const paths = rows as unknown as readonly PicturedPath[];
  const open = openedOf(visit);
  const drawn = (flow: Flow) => pathPicture(paths, { open, flow, isInteractive: true });
  const right = drawn("right");
  const { foldedTtls, nextHops } = right;
  const routers = paths
    .flatMap(routersOf)
    .map((router) => ({ ...router, ...nextHopCells(nextHops.get(`${router.ttl}/${router.address}`)) }));
  const body = (
    <>
      {paths.length === pathsShown ? <OnlyFirst paths={paths} all={await destinationsOf(visit, at)} /> : null}
      <GraphFrame draw={(flow) => (flow === "right" ? right : drawn(flow))} />
      <Folded visit={visit} open={open} ttls={foldedTtls} />
      <Nats paths={paths} />
      <PagedTable
        visit={visit}
        caption="Hops, as the API has them"
        columns={columnsOf(
          {
            ...usefulHeads(hopHeads, routers),
            ...(nextHops.size === 0 ? {} : nextHopHeads),
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
  ...{ ttl: "TTL", address: "Router", loss_percent: "Loss %", rtt_median_ms: "Median (ms)" },
  ...{ rtt_min_ms: "Best (ms)", rtt_max_ms: "Worst (ms)", flow_count: "Flows" },
  ...{ answers: "Answered", agent: "Agent", destination: "Destination", labels: "MPLS", says: "Reply" },
  nat: "NAT",
};
const nextHopHeads = { next_hops: "Next hops", flows_needed: "Flows needed (95 %)" };
/** Left out where no row has any, or all have the same. */
const dullHeads = ["agent", "destination", "labels", "says", "nat", "exchange", "place", "rpki"];

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
  ...{ as: "AS", exchange: "Exchange", place: "Place (est.)", rpki: "RPKI" },
};

type ContextRouter = PicturedPath["hops"][number]["routers"][number] & {
  readonly ixp?: { readonly name: string } | null;
  readonly geo?: { readonly city: string | null; readonly country: string | null } | null;
};

/** `+?` as in the graph: a next hop may be missing. */
function nextHopCells(next: NextHops | undefined): ApiRow {
  return next === undefined
    ? {}
    : { next_hops: `${next.known}${isEnough(next) ? "" : " +?"}`, flows_needed: next.flowsNeeded };
}

/** More paths than these have their NATs in the table only. */
const natsMax = 5;

/** Where each path begins to be behind a NAT, from the first hop on whose quotes differ from what was sent. */
function Nats({ paths }: { readonly paths: readonly PicturedPath[] }) {
  const found = paths.flatMap(({ agent, address, hops }) => {
    const marks = jsonRewritingMarks(hops);
    const first = hops.find(({ routers }) => routers.some((router) => Boolean(marks.get(router))));
    const words = first?.routers.map((router) => marks.get(router)).find(Boolean);
    return words === undefined ? [] : [`From hop ${first?.ttl} on ${words} (${agent} to ${address})`];
  });
  return (
    <>
      {found.slice(0, natsMax).map((text) => (
        <p>
          <Foreign text={text} />.
        </p>
      ))}
    </>
  );
}

function routersOf({ agent, address: destination, hops }: PicturedPath): ApiRow[] {
  const marks = jsonRewritingMarks(hops);
  return hops.flatMap(({ ttl, routers }) =>
    routers.map((router: ContextRouter) => ({
      ...router,
      ...{ agent, destination, ttl, flow_count: router.flows.length },
      address: router.address ?? "no answer",
      as: router.asn == null ? null : `AS${router.asn} ${router.as_name ?? ""}`.trim(),
      exchange: router.ixp?.name ?? null,
      place: [router.geo?.city, router.geo?.country].filter(Boolean).join(", ") || null,
      answers: `${grouped(router.answered)} of ${grouped(router.probes)}`,
      nat: marks.get(router) || null,
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
