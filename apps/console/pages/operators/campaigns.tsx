/** @jsxImportSource hono/jsx */
/** Campaigns of all users, which operators may end. */
import * as v from "valibot";
import { adminCampaignAnswer } from "../../../../lib/base/api/campaigns.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Visit } from "../../page.ts";
import { Field } from "../../parts/field.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { listPath } from "../../parts/list-path.ts";
import { Mark, phaseLooks } from "../../parts/mark.tsx";
import { Paging } from "../../parts/paging.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { UserLink } from "./user-cell.tsx";

type Campaign = v.InferOutput<typeof adminCampaignAnswer>;

export async function Campaigns({ visit }: { readonly visit: Visit }) {
  const page = await visit.api.page(listPath("/admin/campaigns", visit), v.array(adminCampaignAnswer));
  const { value: rows } = page;
  return (
    <>
      <Table
        id="admin-campaigns"
        caption="Campaigns of all users, the newest first"
        columns={columns(visit.nowMs)}
        rows={rows}
        none="No user has a campaign."
      />
      <Paging visit={visit} page={page} parameter="after" />
    </>
  );
}

function columns(nowMs: number): Column<Campaign>[] {
  return [
    { head: "Campaign", isName: true, cell: ({ name }) => <Foreign text={name} /> },
    { head: "User", cell: ({ user_hash: hash }) => <UserLink hash={hash} /> },
    { head: "State", cell: ({ phase }) => <Mark look={phaseLooks[phase]} word={phase} /> },
    { head: "Next run", cell: ({ next_at: at }) => <Time at={at} /> },
    { head: "Probes a day", isFigure: true, cell: (one) => grouped(one.probes_per_day) },
    { head: "Created", cell: ({ created_at: at }) => <Age at={at} nowMs={nowMs} /> },
    { head: "Actions", cell: (campaign) => <End campaign={campaign} /> },
  ];
}

function End({ campaign: { id, name, phase } }: { readonly campaign: Campaign }) {
  return phase === "ended" ? null : (
    <form class="action" data-call={`POST /admin/campaigns/${id}/stop`} data-done="Ended">
      <Field label="Reason, for the user" name="reason" isRequired />
      <button type="submit" class="danger" aria-label={`End ${name}`}>
        End
      </button>
    </form>
  );
}
