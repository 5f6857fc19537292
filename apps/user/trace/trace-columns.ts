/**
 * A trace for programs: an object for each target, or a row for each router of each hop. Pure.
 *
 * `agent` is null where this machine probes, `interface` where an agent does. `src_ports` are those of the flows, in
 * order; flows of hops (hops-json.ts) are indexes of them. `complete` is false when it was interrupted. `probes`:
 * `sent` = `answered` + `lost` + `not_awaited`, beside those that `failed` to be sent. `left_out`: `forged` and `late`
 * replies to this target's probes; `stale`: to those of all targets so far, more than 6.5 s late.
 */
import {
  type ContextField,
  contextColumns,
  contextJson,
  type Known,
  nothingKnown,
} from "../../../lib/answers/enrich/context-fields.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { hopsOf } from "../../../lib/measuring/paths/hops.ts";
import { hopsJson } from "../../../lib/measuring/paths/hops-json.ts";
import { mtuJson } from "../../../lib/measuring/paths/mtu-text.ts";
import { probeTotalsJson } from "../../../lib/measuring/paths/probe-totals.ts";
import {
  figureColumns,
  placeColumns,
  type Router,
  routersOf,
} from "../../../lib/measuring/paths/router-columns.ts";
import type { PicturedPath } from "../../../lib/measuring/pictures/path/picture-path.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import type { TraceView } from "./render-text.ts";

const targetColumns: readonly Column<TraceView>[] = [
  column("agent", ({ agent }) => agent ?? null),
  column("target", ({ target }) => target.name),
  column("address", ({ target }) => formatAddress(target.address)),
  column("protocol", ({ target }) => target.protocol),
];

export function traceColumns(fields: readonly ContextField[], hasMtu = false): readonly Column<TraceView>[] {
  return [...ownColumns, ...(hasMtu ? [mtu] : []), ...(fields.includes("path") ? [asPaths] : [])];
}

const mtu = column("mtu", ({ mtu: hops = [] }) => mtuJson(hops));

const asPaths = column("as_paths", ({ notes }) => notes.asPaths);

const ownColumns: readonly Column<TraceView>[] = [
  ...targetColumns,
  column("source", ({ target }) => (target.source === null ? null : formatAddress(target.source))),
  column("interface", ({ target }) => target.interfaceName),
  column("src_ports", ({ options }) =>
    Array.from({ length: options.flows }, (_, flow) => options.srcPort + flow),
  ),
  column("dst_port", ({ options }) => (options.protocol === "icmp" ? 0 : options.dstPort)),
  column("complete", ({ state }) => state === "complete"),
  column("reached", ({ path }) => path.reached()),
  column("elapsed_ms", ({ elapsedMs }) => Math.round(elapsedMs)),
  column("probes", ({ path }) => probeTotalsJson(path.totals())),
  column("left_out", ({ leftOut, staleReplies }) => ({ ...leftOut, stale: staleReplies })),
  column("failures", ({ failures }) => failures),
  column("hops", hopsIn),
];

function hopsIn({ path, options, notes }: TraceView) {
  return hopsJson(hopsOf(path, options.firstTtl), (address) =>
    contextJson(address === null ? nothingKnown : notes.of(address), notes.fields),
  );
}

/** What a path graph is drawn from. */
export function picturedTrace(view: TraceView): PicturedPath {
  return {
    agent: view.agent ?? "this machine",
    address: formatAddress(view.target.address),
    reached: view.path.reached(),
    hops: hopsIn(view),
  };
}

interface TracedRouter extends Router {
  readonly view: TraceView;
}

export function tracedRouters(view: TraceView): TracedRouter[] {
  return routersOf(hopsOf(view.path, view.options.firstTtl)).map((router) => ({ view, ...router }));
}

/** For CSV; names have their column always. */
export function tracedRouterColumns(fields: readonly ContextField[]): readonly Column<TracedRouter>[] {
  return [
    ...routerColumns,
    ...contextColumns(
      fields.filter((field) => field !== "name"),
      "csv",
      knownOf,
    ),
  ];
}

function knownOf({ view: { notes }, node: { address } }: TracedRouter): Known {
  return address === null ? nothingKnown : notes.of(formatAddress(address));
}

const routerColumns: readonly Column<TracedRouter>[] = [
  ...targetColumns.map(({ name, value }) => ({
    name,
    head: null,
    value: ({ view }: TracedRouter) => value(view),
  })),
  ...placeColumns,
  {
    name: "name",
    head: null,
    value: (router) => knownOf(router).name,
  },
  ...figureColumns,
];

function column(name: string, value: (view: TraceView) => unknown): Column<TraceView> {
  return { name, head: null, value };
}
