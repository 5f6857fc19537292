/** The links between responding routers, over all flows and destinations; and those of two measurements compared. */
import * as v from "valibot";
import { addressFields, contextEntries } from "../../enrich/context-fields.ts";
import { figureRowsDefault } from "../limits.ts";
import { comparedColumns, linkColumns } from "../link-columns.ts";
import { endContext, linkPages, routerKeySql } from "../link-pages.ts";
import { linksSql } from "../links-query.ts";
import { entriesOf, type SqlColumn, selectOf, viewOfColumns } from "../sql-columns.ts";
import type { PageForm, View, ViewQuery } from "../view.ts";

const order = "found.lowTtl, found.near, found.far, found.after, found.silentTtl";

const ends = {
  near_context: v.optional(v.object(contextEntries)),
  far_context: v.optional(v.object(contextEntries)),
};

/** Each end has its context, as of the day on which the link was first seen. */
function select(columns: readonly SqlColumn[], form: PageForm, { with: fields = [] }: ViewQuery): string {
  const textOf = (name: string) =>
    columns.flatMap((one) => (one.name === name ? [one.form.sql(one.from)] : [])).join();
  const keys = ["near", "far"].map((end) =>
    endContext(`${end}_context`, routerKeySql(textOf(`${end}_addr`), "found.firstNs")),
  );
  return [selectOf(columns, form), ...(fields.length === 0 ? [] : keys)].join(", ");
}

function viewOf(columns: readonly SqlColumn[]) {
  return {
    ...viewOfColumns(columns),
    // Rows of both kinds have one schema.
    schema: v.object({
      ...v.partial(v.object(entriesOf(comparedColumns))).entries,
      ...entriesOf(columns),
      ...ends,
    }),
    contextFields: addressFields,
    pages: linkPages({ select: (form, query) => select(columns, form, query), found: linksSql, order }),
  };
}

export const linksView: View = {
  name: "links",
  summary: "The links between routers: the routers that replied at consecutive TTLs of a flow",
  description: [
    "By TTL and address. Of several routers that answered one flow and TTL the most frequent counts; what a flow sent",
    "beyond its end does not. A silent hop between two answers is an end without an address, known by its TTL and the",
    "router before it, where the submission is in the store. `against`, another measurement, adds which links appeared",
    "since then, are gone, or are in both; agents and time are then of both.",
  ].join(" "),
  limitDefault: figureRowsDefault,
  ...viewOf(linkColumns),
};

/** Needs `ViewQuery.against`. */
export const comparedLinksView: View = {
  ...linksView,
  summary: "The links of two measurements: which appeared, which are gone, which both have",
  ...viewOf(comparedColumns),
};
