/** @jsxImportSource hono/jsx */
/** The audit log, from which nothing is deleted. */
import * as v from "valibot";
import { probingAuditAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { Visit } from "../../page.ts";
import { Field } from "../../parts/field.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { listPath } from "../../parts/list-path.ts";
import { Paging } from "../../parts/paging.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";

type Entry = v.InferOutput<typeof probingAuditAnswer>;

export async function Audit({ visit }: { readonly visit: Visit }) {
  const { query } = visit;
  const path = listPath("/admin/audit", visit, ["subject", "actor"]);
  const page = await visit.api.page(path, v.array(probingAuditAnswer));
  const { value: entries } = page;
  return (
    <>
      <form class="row" method="get" action="/console/operators">
        <input type="hidden" name="view" value="audit" />
        <Field label="Subject" name="subject" value={query.get("subject")} hint="agent:west" grows />
        <Field label="Actor" name="actor" value={query.get("actor")} hint="admin" grows />
        <button type="submit">Find</button>
      </form>
      <Table
        id="audit"
        caption="Changes"
        columns={columns}
        rows={entries}
        none="Nothing matches these filters."
      />
      <Paging visit={visit} page={page} parameter="after" />
    </>
  );
}

const columns: readonly Column<Entry>[] = [
  { head: "Time", cell: ({ at }) => <Time at={at} /> },
  {
    head: "Actor",
    cell: ({ actor }) => (
      <code>
        <Foreign text={shortened(actor)} />
      </code>
    ),
  },
  { head: "Action", cell: ({ action }) => action },
  {
    head: "Subject",
    isName: true,
    cell: ({ subject }) => (
      <code>
        <Foreign text={shortened(subject)} />
      </code>
    ),
  },
  {
    head: "Details",
    cell: ({ details }) => (
      <code class="long">
        <Foreign text={JSON.stringify(details)} />
      </code>
    ),
  },
];

/** A hash is shortened to its first digits. */
function shortened(name: string): string {
  return name.replace(/^(\w+:[\da-f]{12})[\da-f]{52}$/, "$1…");
}
