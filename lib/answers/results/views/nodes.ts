/** The responding routers, and silent hops between them, over all flows and destinations. */
import * as v from "valibot";
import { addressFields, contextEntries } from "../../enrich/context-fields.ts";
import { contextKey } from "../context-finders.ts";
import { figureRowsDefault } from "../limits.ts";
import { nodeColumns } from "../link-columns.ts";
import { linkPages, routerKeySql } from "../link-pages.ts";
import { nobody, nodesSql } from "../links-query.ts";
import { entriesOf, selectOf, viewOfColumns } from "../sql-columns.ts";
import * as forms from "../value-forms.ts";
import type { View } from "../view.ts";

const address = `if(found.router = ${nobody}, NULL, ${forms.address.sql("found.router")})`;
export const nodeKey = `${routerKeySql(address, "found.lastNs")} AS ${contextKey}`;

export const nodesView: View = {
  name: "nodes",
  summary: "The responding routers, with round-trip times and labels, and the silent hops between them",
  description: [
    "By TTL and address. A silent hop has no address: it is known by its TTL and the router before it.",
  ].join(" "),
  limitDefault: figureRowsDefault,
  ...viewOfColumns(nodeColumns),
  schema: v.object({ ...entriesOf(nodeColumns), ...contextEntries }),
  contextFields: addressFields,
  pages: linkPages({
    select: (form, { with: fields = [] }) =>
      [selectOf(nodeColumns, form), ...(fields.length === 0 ? [] : [nodeKey])].join(", "),
    found: nodesSql,
    order: "found.lowTtl, found.router, found.after",
  }),
};
