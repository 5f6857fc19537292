/** @jsxImportSource hono/jsx */
/** The kill switch, which is confirmed by typing its name, and blocked destinations. */
import * as v from "valibot";
import { blockedAnswer, killAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { Visit } from "../../page.ts";
import { Action, Field } from "../../parts/field.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { listPath } from "../../parts/list-path.ts";
import { Paging } from "../../parts/paging.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Age, Time } from "../../parts/time.tsx";

type Blocked = v.InferOutput<typeof blockedAnswer>;

const switchName = "kill-switch";

export async function Safety({ visit }: { readonly visit: Visit }) {
  const [kill, page] = await Promise.all([
    visit.api.get("/admin/kill-switch", killAnswer),
    visit.api.page(listPath("/admin/blocklist", visit), v.array(blockedAnswer)),
  ]);
  return (
    <>
      <KillSwitch kill={kill} />
      <h2>Blocked destinations</h2>
      <Table
        id="blocklist"
        caption="Blocked destinations"
        columns={columns(visit.nowMs)}
        rows={page.value}
        none="Operators have blocked nothing. Files of gateway and agents may block more."
      />
      <Paging visit={visit} page={page} parameter="after" />
      <form class="row" data-call="POST /admin/blocklist" data-done="Blocked at all agents within 2 s">
        <Field label="Prefix or address" name="prefix" isRequired hint="192.0.2.0/24" />
        <Field label="Reason" name="reason" isRequired grows />
        <button type="submit">Block</button>
      </form>
    </>
  );
}

function KillSwitch({
  kill: { killed_at: at, killed_reason: reason },
}: {
  kill: v.InferOutput<typeof killAnswer>;
}) {
  return at !== null ? (
    <section class="card is-bad" aria-labelledby="kill-title">
      <h2 id="kill-title">All probing is stopped</h2>
      <p>
        Since <Time at={at} />: <Foreign text={reason ?? ""} />
      </p>
      <Action
        call="DELETE /admin/kill-switch"
        word="Resume"
        of="probing"
        done="Agents probe again within 2 s"
      />
    </section>
  ) : (
    <section class="card is-good" aria-labelledby="kill-title">
      <h2 id="kill-title">Probing is allowed</h2>
      <p>The kill switch stops all agents within 2 s. Queued probes are sent once it is lifted.</p>
      <form class="row" data-call="PUT /admin/kill-switch" data-done="All agents stop within 2 s">
        <Field label="Reason" name="reason" isRequired grows />
        <Field label={`Type ${switchName}`} name="" mustBe={switchName} />
        <button type="submit" class="danger">
          Stop all probing
        </button>
      </form>
    </section>
  );
}

function columns(nowMs: number): Column<Blocked>[] {
  return [
    { head: "Prefix", isName: true, cell: ({ prefix }) => <code>{prefix}</code> },
    { head: "Reason", cell: ({ reason }) => <Foreign text={reason} /> },
    { head: "Since", cell: ({ created_at: at }) => <Age at={at} nowMs={nowMs} /> },
    {
      head: "Actions",
      cell: ({ prefix }) => (
        <Action
          call={`DELETE /admin/blocklist/${encodeURIComponent(prefix)}`}
          word="Allow"
          of={prefix}
          done="Allowed again"
        />
      ),
    },
  ];
}
