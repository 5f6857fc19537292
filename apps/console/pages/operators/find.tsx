/** @jsxImportSource hono/jsx */
/** For a complaint: whose probes come from a source address, and what happened to a measurement. */
import type * as v from "valibot";
import { sourceAnswer, traceAnswer } from "../../../../lib/base/api/probing-admin.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Visit } from "../../page.ts";
import { orFailure } from "../../parts/failure.tsx";
import { Field } from "../../parts/field.tsx";
import { Figure } from "../../parts/figure.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { UserLink } from "./user-cell.tsx";

type Source = v.InferOutput<typeof sourceAnswer>;
type Answer = v.InferOutput<typeof traceAnswer>;
type Traced = Answer["measurements"][number];
type Refusal = Answer["refusals"][number];

export async function Find({ visit }: { readonly visit: Visit }) {
  const [source, trace] = [visit.query.get("source") ?? "", visit.query.get("trace") ?? ""];
  return (
    <>
      <form class="row" method="get" action="/console/operators">
        <input type="hidden" name="view" value="find" />
        <Field label="Source address of packets in a complaint" name="source" value={source} grows />
        <Field label="ID of a measurement or a request" name="trace" value={trace} grows />
        <button type="submit">Find</button>
      </form>
      {source === "" && trace === "" ? (
        <p class="soft">
          For a complaint about packets: which users had their source address, at which agents. For a user's
          question: what became of a measurement or a refused request.
        </p>
      ) : null}
      {source === "" ? null : await Users({ visit, source })}
      {trace === "" ? null : await Trace({ visit, id: trace })}
    </>
  );
}

async function Users({ visit, source }: { readonly visit: Visit; readonly source: string }) {
  const path = `/admin/sources/${encodeURIComponent(source)}`;
  const { value, failure } = await orFailure(visit.api.get(path, sourceAnswer));
  return value === null ? (
    failure?.body
  ) : (
    <>
      <h2>{`Probes from ${value.address}`}</h2>
      <p>Agents: {value.agents.map(({ id }) => id).join(", ") || "none"}</p>
      <Table
        caption="Users who may have sent them"
        columns={userColumns}
        rows={value.users}
        none="No user has had a prefix with this address."
      />
    </>
  );
}

const userColumns: readonly Column<Source["users"][number]>[] = [
  { head: "User", isName: true, cell: ({ user_hash: hash }) => <UserLink hash={hash} /> },
  { head: "Agent", cell: ({ agent_id: agent }) => agent },
  { head: "Prefix", cell: ({ user_prefix: prefix }) => <code>{prefix}</code> },
  { head: "Assigned", cell: ({ first_given_at: at }) => <Time at={at} /> },
];

async function Trace({ visit, id }: { readonly visit: Visit; readonly id: string }) {
  const path = `/admin/trace/${encodeURIComponent(id)}`;
  const { value, failure } = await orFailure(visit.api.get(path, traceAnswer));
  return value === null ? (
    failure?.body
  ) : (
    <>
      {value.measurements.map((traced) => (
        <Traced traced={traced} />
      ))}
      {value.refusals.length === 0 ? null : (
        <Table caption="Refused requests" columns={refusalColumns} rows={value.refusals} none="" />
      )}
    </>
  );
}

const refusalColumns: readonly Column<Refusal>[] = [
  { head: "Request", isName: true, cell: ({ request_id: id }) => <code>{id}</code> },
  { head: "User", cell: ({ user_hash: hash }) => <UserLink hash={hash} /> },
  { head: "Refused", cell: ({ refused_at: at }) => <Time at={at} /> },
  { head: "Code", cell: ({ code }) => code },
  { head: "Reason", cell: ({ reason }) => <Foreign text={reason} /> },
];

function Traced({ traced }: { readonly traced: Traced }) {
  const stored = (count: number | null) => (count === null ? "unknown" : grouped(count));
  return (
    <>
      <h2>{`Measurement ${traced.measurement_id}`}</h2>
      <dl class="figures">
        <Figure name="State" value={traced.status} />
        <Figure name="User" value={<UserLink hash={traced.user_hash} />} />
        <Figure name="Submitted by" value={<Foreign text={traced.made_by ?? "the gateway"} />} />
        <Figure name="Started" value={<Time at={traced.started_at} />} />
        <Figure name="Probes" value={grouped(traced.probes)} />
        <Figure name="Stored probes" value={stored(traced.stored_probes)} />
        <Figure name="Stored replies" value={stored(traced.stored_replies)} />
      </dl>
      <Table caption="Its agents" columns={partColumns} rows={traced.agents} none="No agent took part." />
      <p class="soft">
        Refusals, additions and operators' changes:{" "}
        <code>{`vantage admin trace ${traced.measurement_id}`}</code>
      </p>
    </>
  );
}

const partColumns: readonly Column<Traced["agents"][number]>[] = [
  { head: "Agent", isName: true, cell: ({ agent_id: agent }) => agent },
  { head: "State", cell: ({ status }) => status },
  { head: "Sent", isFigure: true, cell: (part) => grouped(part.sent_probes) },
  { head: "Expected", isFigure: true, cell: (part) => grouped(part.expected_probes) },
  { head: "Replies", isFigure: true, cell: (part) => grouped(part.received_replies) },
  { head: "Error", cell: ({ error }) => <Foreign text={error ?? "–"} /> },
  { head: "Last update", cell: ({ updated_at: at }) => <Time at={at} /> },
];
