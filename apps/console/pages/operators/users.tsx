/** @jsxImportSource hono/jsx */
/** Users by hash, and by name where known: their limits, today's usage, suspensions. */
import * as v from "valibot";
import { probingUserAnswer } from "../../../../lib/base/api/probing-admin.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Visit } from "../../page.ts";
import { Action, Choice, Field, YesOrNo } from "../../parts/field.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { listPath } from "../../parts/list-path.ts";
import { Mark } from "../../parts/mark.tsx";
import { Paging } from "../../parts/paging.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Age } from "../../parts/time.tsx";
import { UserCell, UserData } from "./user-cell.tsx";

type User = v.InferOutput<typeof probingUserAnswer>;

const suspensions = { "": "all", true: "suspended", false: "not suspended" } as const;

export async function Users({ visit }: { readonly visit: Visit }) {
  const { query } = visit;
  const path = listPath("/admin/users", visit, ["who", "suspended"]);
  const page = await visit.api.page(path, v.array(probingUserAnswer));
  const { value: users } = page;
  return (
    <>
      <form class="row" method="get" action="/console/operators">
        <input type="hidden" name="view" value="users" />
        <Field label="Name, number or hash" name="who" value={query.get("who")} grows />
        <Choice label="Show" name="suspended" value={query.get("suspended") ?? ""} options={suspensions} />
        <button type="submit">Find</button>
      </form>
      <Table
        id="users"
        caption="Users"
        columns={columns(visit.nowMs)}
        rows={users}
        none="Nothing matches these filters. Users appear after their first request."
      />
      <Paging visit={visit} page={page} parameter="after" />
      <p class="soft">
        An export has what this gateway's database keeps about a user. An erasure also removes results from
        the column store; the peering gateway has its own, under “Leases”. Both at once, and with results:{" "}
        <code>vantage admin users export</code>, <code>vantage admin users erase</code>
      </p>
    </>
  );
}

function columns(nowMs: number): Column<User>[] {
  return [
    { head: "User", isName: true, cell: (user) => <UserCell user={user} /> },
    { head: "State", cell: (user) => <State user={user} /> },
    { head: "Used today", isFigure: true, cell: ({ used_today: used }) => grouped(used) },
    { head: "Limits", cell: (user) => <Limits user={user} /> },
    { head: "Since", cell: ({ created_at: at }) => <Age at={at} nowMs={nowMs} /> },
    {
      head: "Actions",
      cell: (user) => (
        <>
          <Suspension user={user} />
          <UserData hash={user.user_hash} call="/console/call/admin" />
        </>
      ),
    },
  ];
}

function State({ user: { suspended_at: at, suspended_reason: reason } }: { readonly user: User }) {
  return at === null ? (
    <Mark look="good" word="active" />
  ) : (
    <>
      <Mark look="bad" word="suspended" /> <Foreign text={reason ?? ""} />
    </>
  );
}

function Limits({ user }: { readonly user: User }) {
  const { user_hash: hash, probes_per_day_max: perDay, rate_probes_per_sec_max: perSec } = user;
  const text = (value: number | null) => (value === null ? "" : String(value));
  return (
    <form class="action" data-call={`PATCH /admin/users/${hash}`} data-done="Limits changed">
      <Field
        label="Probes a day"
        name="probes_per_day_max"
        type="number"
        kind="numberOrNull"
        value={text(perDay)}
        hint="default"
      />
      <Field
        label="Probes/s"
        name="rate_probes_per_sec_max"
        type="number"
        kind="numberOrNull"
        value={text(perSec)}
        hint="default"
      />
      <YesOrNo label="may record packets" name="may_record_packets" isYes={user.may_record_packets} />
      <button type="submit" aria-label={`Set the limits of ${hash.slice(0, 12)}`}>
        Set
      </button>
    </form>
  );
}

function Suspension({ user: { user_hash: hash, suspended_at: at } }: { readonly user: User }) {
  const short = hash.slice(0, 12);
  return at !== null ? (
    <Action call={`POST /admin/users/${hash}/resume`} word="Resume" of={short} done="May submit again" />
  ) : (
    <form class="action" data-call={`POST /admin/users/${hash}/suspend`} data-done="Suspended">
      <Field label="Reason" name="reason" isRequired />
      <button type="submit" class="danger" aria-label={`Suspend ${short}`}>
        Suspend
      </button>
    </form>
  );
}
