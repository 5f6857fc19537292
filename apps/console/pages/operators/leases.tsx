/** @jsxImportSource hono/jsx */
/** The peering gateway for operators: users and their limits, leases, the stop of all announcements, service keys. */
import * as v from "valibot";
import {
  announcementStopAnswer,
  liveLeaseAnswer,
  peeringUserAnswer,
  serviceKeyAnswer,
} from "../../../../lib/base/api/peering-admin.ts";
import type { ApiClient } from "../../api-client.ts";
import type { Visit } from "../../page.ts";
import { Action, Field, YesOrNo } from "../../parts/field.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { listPath } from "../../parts/list-path.ts";
import { Mark } from "../../parts/mark.tsx";
import { Paging } from "../../parts/paging.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Age, Time } from "../../parts/time.tsx";
import { UserCell, UserData } from "./user-cell.tsx";

type User = v.InferOutput<typeof peeringUserAnswer>;
type Lease = v.InferOutput<typeof liveLeaseAnswer>;
type Key = v.InferOutput<typeof serviceKeyAnswer>;

const call = "/console/peering-call/admin";

export async function Leases({ visit }: { readonly visit: Visit }) {
  return visit.peering === null ? (
    <p class="none">No peering gateway is configured for this page (console.peering_gateway).</p>
  ) : (
    await Gateway({ visit, peering: visit.peering })
  );
}

async function Gateway({ visit, peering }: { readonly visit: Visit; readonly peering: ApiClient }) {
  const { nowMs } = visit;
  const [stop, leases, users, keys] = await Promise.all([
    peering.get("/admin/announcement-stop", announcementStopAnswer),
    peering.page(listPath("/admin/leases", visit), v.array(liveLeaseAnswer)),
    peering.page(listPath("/admin/users", visit, [], "users-"), v.array(peeringUserAnswer)),
    peering.get("/admin/service-keys", v.array(serviceKeyAnswer)),
  ]);
  return (
    <>
      <Stop stop={stop} />
      <h2>Leases</h2>
      <Table
        id="leases"
        caption="Live leases"
        columns={leaseColumns(users.value)}
        rows={leases.value}
        none="No prefix is leased now."
      />
      <Paging visit={visit} page={leases} parameter="after" />
      <h2>Users</h2>
      <Table
        id="peering-users"
        caption="Users of the peering gateway"
        columns={userColumns(nowMs)}
        rows={users.value}
        none="No user yet."
      />
      <Paging visit={visit} page={users} parameter="after" list="users-" />
      <h2>Service keys</h2>
      <Table
        id="service-keys"
        caption="Keys of exchange servers"
        columns={keyColumns(nowMs)}
        rows={keys}
        none="No exchange server has a key."
      />
      <form
        class="row"
        data-call={`POST ${call}/service-keys`}
        data-done="Key created"
        data-shows="{key}"
        data-once="Service key"
      >
        <Field label="Exchange server" name="name" isRequired hint="exchange-1" />
        <button type="submit">Create key</button>
      </form>
    </>
  );
}

function Stop({
  stop: { stopped_at: at, stopped_reason: reason },
}: {
  readonly stop: v.InferOutput<typeof announcementStopAnswer>;
}) {
  const path = `${call}/announcement-stop`;
  return at === null ? (
    <section class="card is-good" aria-labelledby="stop-title">
      <h2 id="stop-title">Announcements are allowed</h2>
      <form class="row" data-call={`PUT ${path}`} data-done="All announcements are withdrawn">
        <Field label="Reason" name="reason" isRequired grows />
        <Field label="Type withdraw-all" name="" mustBe="withdraw-all" />
        <button type="submit" class="danger">
          Withdraw all announcements
        </button>
      </form>
    </section>
  ) : (
    <section class="card is-bad" aria-labelledby="stop-title">
      <h2 id="stop-title">All announcements are stopped</h2>
      <p>
        Since <Time at={at} />: <Foreign text={reason ?? ""} />
      </p>
      <Action
        call={`DELETE ${path}`}
        word="Resume"
        of="announcements"
        done="Announcements are accepted again"
      />
    </section>
  );
}

/** `users` have the names of those on the page. */
function leaseColumns(users: readonly User[]): Column<Lease>[] {
  const names = new Map(users.map(({ user_hash: hash, name }) => [hash, name]));
  return [
    { head: "Prefix", isName: true, cell: ({ prefix }) => <code>{prefix}</code> },
    {
      head: "User",
      cell: ({ user_hash: hash }) => <UserCell user={{ user_hash: hash, name: names.get(hash) }} />,
    },
    { head: "AS", cell: ({ asn }) => (asn === null ? "–" : `AS${asn}`) },
    { head: "Ends", cell: ({ end_time: at }) => <Time at={at} /> },
    { head: "RPKI", cell: ({ rpki_enabled: isOn }) => (isOn ? "ROA" : "–") },
    {
      head: "State",
      cell: ({ suspended }) => (
        <Mark look={suspended ? "bad" : "good"} word={suspended ? "suspended" : "live"} />
      ),
    },
    {
      head: "Actions",
      cell: ({ prefix }) => (
        <Action
          call={`DELETE ${call}/leases/${encodeURIComponent(prefix)}`}
          word="Withdraw"
          of={prefix}
          done="The lease has ended"
          isDangerous
        />
      ),
    },
  ];
}

function userColumns(nowMs: number): Column<User>[] {
  return [
    { head: "User", isName: true, cell: (user) => <UserCell user={user} /> },
    { head: "AS", cell: (user) => <OwnAs user={user} /> },
    { head: "Leases", isFigure: true, cell: (user) => user.live_leases },
    { head: "Limits", cell: (user) => <Limits user={user} /> },
    { head: "Since", cell: ({ created_at: at }) => <Age at={at} nowMs={nowMs} /> },
    { head: "Actions", cell: ({ user_hash: hash }) => <UserData hash={hash} call={call} /> },
  ];
}

function OwnAs({ user: { user_hash: hash, asn } }: { readonly user: User }) {
  return asn === null ? (
    <span>–</span>
  ) : (
    <Action
      call={`DELETE ${call}/users/${hash}/asn`}
      word="Release"
      of={`AS${asn}`}
      done="Released"
      isDangerous
    >
      {`AS${asn} `}
    </Action>
  );
}

function Limits({ user }: { readonly user: User }) {
  const { user_hash: hash, leases_max: leases, lease_hours_max: hours } = user;
  const text = (value: number | null) => (value === null ? "" : String(value));
  return (
    <form class="action" data-call={`PATCH ${call}/users/${hash}`} data-done="Limits changed">
      <Field
        label="Leases"
        name="leases_max"
        type="number"
        kind="numberOrNull"
        value={text(leases)}
        hint="default"
      />
      <Field
        label="Hours"
        name="lease_hours_max"
        type="number"
        kind="numberOrNull"
        value={text(hours)}
        hint="default"
      />
      <YesOrNo label="poisoning" name="may_poison" isYes={user.may_poison} />
      <YesOrNo label="blackholing" name="may_blackhole" isYes={user.may_blackhole} />
      <button type="submit" aria-label={`Set the limits of ${hash.slice(0, 12)}`}>
        Set
      </button>
    </form>
  );
}

function keyColumns(nowMs: number): Column<Key>[] {
  return [
    { head: "Exchange server", isName: true, cell: ({ name }) => <Foreign text={name} /> },
    { head: "Created", cell: ({ created_at: at }) => <Age at={at} nowMs={nowMs} /> },
    {
      head: "State",
      cell: ({ name, revoked_at: at }) =>
        at === null ? (
          <Action
            call={`DELETE ${call}/service-keys/${encodeURIComponent(name)}`}
            word="Revoke"
            of={`the key of ${name}`}
            done="Revoked"
            isDangerous
          />
        ) : (
          <span>revoked</span>
        ),
    },
  ];
}
