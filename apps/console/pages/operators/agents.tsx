/** @jsxImportSource hono/jsx */
/** Agents as operators see them: grants, pauses, keys. */
import * as v from "valibot";
import { adminAgentAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { Visit } from "../../page.ts";
import { Action, Field } from "../../parts/field.tsx";
import { Foreign, Place } from "../../parts/foreign.tsx";
import { addressWith } from "../../parts/links.tsx";
import { listPath } from "../../parts/list-path.ts";
import { Mark } from "../../parts/mark.tsx";
import { Paging } from "../../parts/paging.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Age, Time } from "../../parts/time.tsx";

type Agent = v.InferOutput<typeof adminAgentAnswer>;

export async function Agents({ visit }: { readonly visit: Visit }) {
  const isPending = visit.query.get("pending") === "true";
  const path = listPath("/admin/agents", visit, ["pending"]);
  const page = await visit.api.page(path, v.array(adminAgentAnswer));
  const { value: agents } = page;
  return (
    <>
      <p>
        {isPending ? (
          <a href={addressWith(visit, { pending: null })}>All agents</a>
        ) : (
          <a href={addressWith(visit, { pending: "true" })}>Only agents with prefixes awaiting approval</a>
        )}
      </p>
      <Table
        id="admin-agents"
        caption="Agents"
        columns={columns(visit.nowMs)}
        rows={agents}
        none={
          isPending
            ? "No prefix awaits approval."
            : "No agent yet: add one below, or create an enrolment key."
        }
      />
      <Paging visit={visit} page={page} parameter="after" />
      <h2>Add an agent</h2>
      <form
        class="row"
        data-call="POST /admin/agents"
        data-done="Agent added"
        data-shows="{agent_key}"
        data-once="Key of the new agent"
      >
        <Field label="Agent ID" name="id" isRequired />
        <Field label="Place" name="location" />
        <Field label="Country" name="country" hint="DE" />
        <Field label="AS" name="asn" type="number" kind="number" />
        <Field label="Tags" name="tags" kind="words" />
        <Field label="Source prefixes" name="granted_prefixes" kind="words" hint="192.0.2.0/24" grows />
        <button type="submit">Add</button>
      </form>
    </>
  );
}

function columns(nowMs: number): Column<Agent>[] {
  return [
    { head: "Agent", isName: true, cell: ({ id }) => id },
    { head: "State", cell: (agent) => <State agent={agent} /> },
    {
      head: "Place",
      cell: ({ location, country, asn }) => (
        <Place parts={[location, country, asn === null ? null : `AS${asn}`]} />
      ),
    },
    { head: "Tags", cell: ({ tags }) => tags.join(" ") || "–" },
    { head: "Source prefixes", cell: (agent) => <Sources agent={agent} /> },
    { head: "Keys", cell: (agent) => <Keys agent={agent} /> },
    { head: "Last report", cell: ({ last_seen_at: at }) => <Age at={at} nowMs={nowMs} /> },
    { head: "Actions", cell: (agent) => <Actions agent={agent} /> },
  ];
}

function State({ agent }: { readonly agent: Agent }) {
  const { retired_at: retiredAt, registered_at: registeredAt, paused, online, healthy } = agent;
  if (retiredAt !== null) {
    return <Mark look="plain" word="retired" />;
  }
  if (registeredAt === null) {
    return <Mark look="wait" word="not enrolled yet" />;
  }
  if (paused) {
    return <Mark look="wait" word="paused" />;
  }
  if (!online) {
    return <Mark look="bad" word="offline" />;
  }
  if (agent.held_by_host !== null) {
    return (
      <>
        <Mark look="wait" word="not sending" /> <Foreign text={agent.held_by_host} />
      </>
    );
  }
  return healthy === true ? <Mark look="good" word="healthy" /> : <Mark look="bad" word="unhealthy" />;
}

function Sources({
  agent: { id, granted_prefixes: granted, pending_prefixes: pending },
}: {
  readonly agent: Agent;
}) {
  return (
    <>
      {granted.length === 0 ? <span class="soft">none</span> : <code>{granted.join(" ")}</code>}
      {pending.length === 0 ? null : (
        <Action
          call={`PATCH /admin/agents/${encodeURIComponent(id)}`}
          word="Grant"
          of={`${pending.join(" ")} to ${id}`}
          done="Granted"
          body={{ granted_prefixes: [...granted, ...pending] }}
        >
          <code>{pending.join(" ")}</code> awaits approval
        </Action>
      )}
    </>
  );
}

function Keys({ agent: { id, keys } }: { readonly agent: Agent }) {
  const live = keys.filter(({ revoked_at: revokedAt }) => revokedAt === null);
  return (
    <details>
      <summary>{String(live.length)}</summary>
      {live.map(({ key_id: key, created_at: at }) => (
        <Action
          call={`DELETE /admin/agents/${encodeURIComponent(id)}/keys/${key}`}
          word="Revoke"
          of={`key ${key} of ${id}`}
          done="Revoked"
          isDangerous
        >
          <code>{key}</code> <Time at={at} />
        </Action>
      ))}
    </details>
  );
}

function Description({ agent }: { readonly agent: Agent }) {
  const { id, location, country, asn, tags, granted_prefixes: granted } = agent;
  return (
    <details id={`edit-${id}`}>
      <summary>Edit</summary>
      <form class="action" data-call={`PATCH /admin/agents/${encodeURIComponent(id)}`} data-done="Saved">
        <Field label="Place" name="location" value={location} kind="textOrNull" />
        <Field label="Country" name="country" value={country} kind="textOrNull" hint="DE" />
        <Field
          label="AS"
          name="asn"
          type="number"
          kind="numberOrNull"
          value={asn === null ? "" : String(asn)}
        />
        <Field label="Tags" name="tags" kind="words" value={tags.join(" ")} />
        <Field label="Source prefixes" name="granted_prefixes" kind="words" value={granted.join(" ")} />
        <button type="submit" aria-label={`Save ${id}`}>
          Save
        </button>
      </form>
    </details>
  );
}

function Actions({ agent }: { readonly agent: Agent }) {
  const { id, paused, retired_at: retiredAt } = agent;
  const path = `/admin/agents/${encodeURIComponent(id)}`;
  return retiredAt !== null ? null : (
    <div class="actions">
      <Action
        call={`PATCH ${path}`}
        word={paused ? "Resume" : "Pause"}
        of={id}
        done={paused ? "Resumed" : "Paused"}
        body={{ paused: !paused }}
      />
      <Action
        call={`POST ${path}/keys`}
        word="New key"
        of={`for ${id}`}
        done="Key created"
        body={{}}
        shows="{agent_key}"
        once={`Key of ${id}`}
      />
      <Description agent={agent} />
      <details>
        <summary>Retire</summary>
        <form class="action" data-call={`DELETE ${path}`} data-done="Retired">
          <Field label={`Type ${id}`} name="name" mustBe={id} />
          <button type="submit" class="danger">
            Retire {id}
          </button>
        </form>
      </details>
    </div>
  );
}
