/** Paths as objects, and as rows of one router each. */
import { formatAddress } from "../ip/address.ts";
import { hopsJson } from "../paths/hops-json.ts";
import {
  figureColumns,
  routersOf as hopRouters,
  placeColumns,
  type Router,
} from "../paths/router-columns.ts";
import type { Column } from "../terminal/rows-output.ts";
import type { MeasuredPath } from "./measured-path.ts";

const noNames: ReadonlyMap<string, string> = new Map();

/** A path as an object; `hops` as in `vantage trace -o json`, its flows indexes of `flows`. */
export const pathColumns: readonly Column<MeasuredPath>[] = [
  { name: "agent", head: null, value: ({ agent }) => agent },
  { name: "address", head: null, value: ({ target }) => formatAddress(target) },
  { name: "protocol", head: null, value: ({ protocol }) => protocol },
  { name: "flows", head: null, value: flowsJson },
  { name: "reached", head: null, value: ({ reached }) => reached },
  { name: "probes", head: null, value: ({ probes }) => probes },
  { name: "hops", head: null, value: ({ hops }) => hopsJson(hops, noNames) },
];

function flowsJson({ flows }: MeasuredPath) {
  return flows.map(({ srcPort, dstPort, endTtl }) => ({
    src_port: srcPort,
    dst_port: dstPort,
    end_ttl: endTtl,
  }));
}

/** One router of one hop. */
export interface RouterRow extends Router {
  readonly path: MeasuredPath;
}

export function routersOf(path: MeasuredPath): RouterRow[] {
  return hopRouters(path.hops).map((router) => ({ path, ...router }));
}

export const routerColumns: readonly Column<RouterRow>[] = [
  { name: "agent", head: null, value: ({ path }) => path.agent },
  { name: "address", head: null, value: ({ path }) => formatAddress(path.target) },
  { name: "protocol", head: null, value: ({ path }) => path.protocol },
  ...placeColumns,
  ...figureColumns,
];
