/** The status as rows for a terminal: each prefix at each exchange; an exchange without any, by itself. Pure. */
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import type { StatusBody } from "./bodies.ts";

interface StatusRow {
  readonly exchange: string;
  readonly address: string;
  readonly state: string;
  readonly receivedRoutes: number;
  readonly prefix: string;
  readonly verdict: string;
  /** Copies of the user's ASN before the path; null = no prefix. */
  readonly prepend: number | null;
  readonly explanation: string;
}

export function statusRows({ exchanges, prefixes }: Pick<StatusBody, "exchanges" | "prefixes">): StatusRow[] {
  return exchanges.flatMap(({ name, address, state, received_routes: receivedRoutes, remark }) => {
    const common = { exchange: name, address, state, receivedRoutes };
    const own = prefixes.flatMap(({ prefix, exchanges: at }) =>
      at
        .filter((one) => one.name === name)
        .map(({ verdict, prepend, explanation }) => ({ ...common, prefix, verdict, prepend, explanation })),
    );
    const none: StatusRow = { ...common, prefix: "", verdict: "", prepend: null, explanation: remark ?? "" };
    return own.length > 0 ? own : [none];
  });
}

export const statusColumns: readonly Column<StatusRow>[] = [
  { name: "exchange", head: "exchange", value: ({ exchange }) => exchange },
  { name: "address", head: "address", value: ({ address }) => address },
  { name: "state", head: "session", value: ({ state }) => state },
  {
    name: "received_routes",
    head: "received",
    value: ({ receivedRoutes }) => receivedRoutes,
    align: "right",
  },
  { name: "prefix", head: "prefix", value: ({ prefix }) => prefix },
  { name: "verdict", head: "verdict", value: ({ verdict }) => verdict },
  { name: "prepend", head: "prepends", value: ({ prepend }) => prepend, align: "right" },
  { name: "explanation", head: "why", value: ({ explanation }) => explanation },
];
