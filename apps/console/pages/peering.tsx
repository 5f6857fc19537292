/** @jsxImportSource hono/jsx */
/** A user's side of BGP: the ASN, leases with their remaining time, and their ROAs. */
import * as v from "valibot";
import { grantAnswer } from "../../../lib/base/api/grants.ts";
import { historyAnswer, infoAnswer } from "../../../lib/base/api/leases.ts";
import type { ApiClient } from "../api-client.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { Action, Field } from "../parts/field.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { listPath } from "../parts/list-path.ts";
import { type Look, Mark } from "../parts/mark.tsx";
import { Paging } from "../parts/paging.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Time, TimeLeft } from "../parts/time.tsx";
import { Announcements } from "./announcements.tsx";
import { PeeringSessions } from "./peering-sessions.tsx";

type Info = v.InferOutput<typeof infoAnswer>;
type Lease = Info["active_leases"][number];
type Grant = v.InferOutput<typeof grantAnswer>;
type Past = v.InferOutput<typeof historyAnswer>[number];

const api = "/console/peering-call/api/user";

export const peeringPage: ConsolePage = {
  path: "/console/peering",
  navigation: { word: "Peering", key: "p", isFor: "peering" },
  show: async (visit) => ({
    title: "Peering",
    body:
      visit.peering === null ? (
        <p>No peering gateway is configured for this page (gateway.peering_gateway).</p>
      ) : (
        await Peering({ visit, peering: visit.peering })
      ),
  }),
};

async function Peering({ visit, peering }: { readonly visit: Visit; readonly peering: ApiClient }) {
  const [info, grants, history] = await Promise.all([
    peering.get("/api/user/info", infoAnswer),
    peering.get("/api/grants", v.array(grantAnswer)),
    peering.page(listPath("/api/user/leases", visit), historyAnswer),
  ]);
  const prefixes = info.active_leases.map(({ prefix }) => prefix);
  return (
    <div id="peering" data-every-s={30}>
      {info.suspended ? (
        <p class="card is-bad">You are suspended: nothing of yours is announced. Ask the operator.</p>
      ) : null}
      <Asn info={info} />
      <section aria-labelledby="leases-title">
        <h2 id="leases-title">Leases</h2>
        <p class="soft">{`${info.active_leases.length} of at most ${info.max_leases}`}</p>
        <Table
          caption="Prefixes that you have leased"
          columns={leaseColumns(info, visit.nowMs)}
          rows={info.active_leases}
          none="You have leased no prefix."
        />
        {info.asn === null || info.active_leases.length >= info.max_leases ? null : <Request info={info} />}
      </section>
      {info.active_leases.length === 0 ? null : await Announcements({ peering, prefixes })}
      {await PeeringSessions({ visit, userHash: info.user_hash })}
      {grants.length === 0 ? null : (
        <section aria-labelledby="grants-title">
          <h2 id="grants-title">Grants</h2>
          <p class="soft">Other programs that may announce for you, such as a probing gateway.</p>
          <Table caption="Grants that you have given" columns={grantColumns} rows={grants} none="No grant." />
        </section>
      )}
      <section aria-labelledby="history-title">
        <h2 id="history-title">All leases</h2>
        <Table
          caption="Leases that you have or had"
          columns={historyColumns}
          rows={history.value}
          none="None yet."
        />
        <Paging visit={visit} page={history} parameter="after" />
      </section>
    </div>
  );
}

function Asn({ info: { asn } }: { readonly info: Info }) {
  return asn === null ? (
    <section class="card">
      <p>You have no AS number yet. Once assigned, it remains yours.</p>
      <Action call={`POST ${api}/asn`} word="Request an AS number" of="" done="You have an AS number" />
    </section>
  ) : (
    <dl class="figures">
      <div>
        <dt>Your AS</dt>
        <dd>AS{asn}</dd>
      </div>
    </dl>
  );
}

function Request({ info }: { readonly info: Info }) {
  const hours = Math.min(24, info.max_duration_hours);
  return (
    <form class="row" data-call={`POST ${api}/prefix`} data-done="A prefix is yours">
      <Field
        label={`Hours (at most ${info.max_duration_hours})`}
        name="duration_hours"
        type="number"
        kind="number"
        value={String(hours)}
        isRequired
      />
      <button type="submit">Lease a prefix</button>
    </form>
  );
}

function leaseColumns(info: Info, nowMs: number): Column<Lease>[] {
  const hours = Math.min(24, info.max_duration_hours);
  return [
    { head: "Prefix", isName: true, cell: ({ prefix }) => <code>{prefix}</code> },
    {
      head: "Time left",
      cell: ({ end_time: end, ends_soon: isSoon }) => (
        <>
          <TimeLeft until={end} nowMs={nowMs} /> {isSoon ? <Mark look="wait" word="renew it" /> : null}
        </>
      ),
    },
    { head: "Since", cell: ({ start_time: at }) => <Time at={at} /> },
    {
      head: "RPKI",
      cell: ({ prefix, rpki_enabled: isOn }) => (
        <Action
          call={`PUT ${api}/prefix/${encodeURIComponent(prefix)}/rpki`}
          word={isOn ? "Remove ROA" : "Create ROA"}
          of={`for ${prefix}`}
          done={isOn ? "ROA removed" : "ROA created"}
          body={{ enabled: !isOn }}
        >
          <Mark look={isOn ? "good" : "plain"} word={isOn ? "ROA" : "no ROA"} />
        </Action>
      ),
    },
    {
      head: "Actions",
      cell: ({ prefix }) => (
        <div class="actions">
          <Action
            call={`POST ${api}/prefix/${encodeURIComponent(prefix)}/renew`}
            word={`Renew for ${hours} h`}
            of={prefix}
            done="Renewed"
            body={{ duration_hours: hours }}
          />
          <Action
            call={`DELETE ${api}/prefix/${encodeURIComponent(prefix)}`}
            word="Release"
            of={prefix}
            done="Released"
            isDangerous
          />
        </div>
      ),
    },
  ];
}

const grantColumns: readonly Column<Grant>[] = [
  { head: "Name", isName: true, cell: ({ name }) => <Foreign text={name} /> },
  {
    head: "State",
    cell: ({ state }) => <Mark look={state === "live" ? "good" : "plain"} word={state} />,
  },
  { head: "Prefixes", cell: ({ prefixes }) => <code>{prefixes.join(" ")}</code> },
  { head: "Attributes", cell: ({ kinds }) => kinds.join(", ") },
  { head: "Changes", isFigure: true, cell: ({ changes, changes_max: most }) => `${changes} of ${most}` },
  { head: "Expires", cell: ({ expires_at: at }) => <Time at={at} /> },
  {
    head: "Actions",
    cell: ({ id, name, state }) =>
      state === "live" ? (
        <Action
          call={`DELETE /console/peering-call/api/grants/${id}`}
          word="Revoke"
          of={name}
          done="Revoked"
          isDangerous
        />
      ) : null,
  },
];

const looks: Readonly<Record<Past["status"], Look>> = {
  active: "good",
  expired: "plain",
  released: "plain",
  revoked: "bad",
};

const historyColumns: readonly Column<Past>[] = [
  { head: "Prefix", isName: true, cell: ({ prefix }) => <code>{prefix}</code> },
  { head: "State", cell: ({ status }) => <Mark look={looks[status]} word={status} /> },
  { head: "From", cell: ({ start_time: at }) => <Time at={at} /> },
  { head: "To", cell: ({ end_time: at }) => <Time at={at} /> },
];
