/** @jsxImportSource hono/jsx */
/** Filters of measurements, own and public. */
import type { Child } from "hono/jsx";
import type { Visit } from "../page.ts";
import { Choice, Field } from "./field.tsx";

/** Their names in the API. */
export const findFilters = ["target", "asn", "agent", "kind", "name", "tag", "since", "until"] as const;

const kinds = { "": "any", trace: "trace", ping: "ping" } as const;

interface FindFormProps {
  readonly visit: Visit;
  readonly action: string;
  /** Further fields, before these. */
  readonly children?: Child;
}

export function FindForm({ visit, action, children }: FindFormProps) {
  const { query } = visit;
  return (
    <form class="row" method="get" action={action}>
      {children}
      <Field label="Target" name="target" value={query.get("target")} hint="address or prefix" />
      <Field label="AS" name="asn" value={query.get("asn")} hint="AS64500" />
      <Field label="Agent" name="agent" value={query.get("agent")} />
      <Choice label="Kind" name="kind" value={query.get("kind") ?? ""} options={kinds} />
      <Field label="Name or note" name="name" value={query.get("name")} />
      <Field label="Tag" name="tag" value={query.get("tag")} />
      <Field label="Since (UTC)" name="since" value={query.get("since")} hint="2026-01-31 12:00" />
      <button type="submit">Find</button>
      {query.size > 0 ? <a href={action}>All</a> : null}
    </form>
  );
}
