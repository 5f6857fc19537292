/** @jsxImportSource hono/jsx */
/** Keys with which new agents enrol. */
import * as v from "valibot";
import { enrolmentKeyAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { Visit } from "../../page.ts";
import { Action, Field } from "../../parts/field.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { listPath } from "../../parts/list-path.ts";
import { Paging } from "../../parts/paging.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Age, Time } from "../../parts/time.tsx";

type Key = v.InferOutput<typeof enrolmentKeyAnswer>;

export async function EnrolmentKeys({ visit }: { readonly visit: Visit }) {
  const page = await visit.api.page(listPath("/admin/enrolment-keys", visit), v.array(enrolmentKeyAnswer));
  const { value: keys } = page;
  return (
    <>
      <Table
        id="enrolment-keys"
        caption="Enrolment keys"
        columns={columns(visit.nowMs)}
        rows={keys}
        none="There is no key that an agent could enrol with."
      />
      <Paging visit={visit} page={page} parameter="after" />
      <h2>Create a key</h2>
      <form
        class="row"
        data-call="POST /admin/enrolment-keys"
        data-done="Key created"
        data-shows="{enrolment_key}"
        data-once="Enrolment key"
      >
        <Field label="Label" name="label" isRequired grows />
        <Field label="Uses" name="uses" type="number" kind="number" value="1" />
        <Field label="Expires (UTC; empty: never)" name="expires_at" type="datetime-local" kind="utc" />
        <Field label="Source prefixes" name="granted_prefixes" kind="words" hint="192.0.2.0/24" grows />
        <Field label="Tags" name="tags" kind="words" />
        <button type="submit">Create key</button>
      </form>
    </>
  );
}

function columns(nowMs: number): Column<Key>[] {
  return [
    { head: "Label", isName: true, cell: ({ label }) => <Foreign text={label} /> },
    { head: "Key", cell: ({ key_id: id }) => <code>{id}</code> },
    { head: "Uses left", isFigure: true, cell: ({ uses_left: left }) => left },
    {
      head: "Source prefixes",
      cell: ({ granted_prefixes: granted }) => <code>{granted.join(" ") || "–"}</code>,
    },
    { head: "Tags", cell: ({ tags }) => tags.join(" ") || "–" },
    { head: "Expires", cell: ({ expires_at: at }) => <Time at={at} /> },
    { head: "Created", cell: ({ created_at: at }) => <Age at={at} nowMs={nowMs} /> },
    {
      head: "Actions",
      cell: ({ key_id: id, label }) => (
        <Action
          call={`DELETE /admin/enrolment-keys/${encodeURIComponent(id)}`}
          word="Revoke"
          of={label}
          done="Revoked"
          isDangerous
        />
      ),
    },
  ];
}
