/** @jsxImportSource hono/jsx */
/** API tokens for programs: made here and shown once, listed with their uses, revoked. */
import * as v from "valibot";
import { type Scope, scopeMeanings, scopes } from "../../../../lib/base/api/scopes.ts";
import { tokenAnswer, tokenUseAnswer } from "../../../../lib/base/api/tokens.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import type { Visit } from "../../page.ts";
import { Action, Field } from "../../parts/field.tsx";
import { Foreign } from "../../parts/foreign.tsx";
import { addressWith } from "../../parts/links.tsx";
import { listPath } from "../../parts/list-path.ts";
import { type Look, Mark } from "../../parts/mark.tsx";
import { Paging } from "../../parts/paging.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Age, Time } from "../../parts/time.tsx";

type Token = v.InferOutput<typeof tokenAnswer>;
type Use = v.InferOutput<typeof tokenUseAnswer>;

const looks: Readonly<Record<Token["state"], Look>> = { live: "good", expired: "plain", revoked: "plain" };
const usualDays = "90";

export async function Tokens({ visit }: { readonly visit: Visit }) {
  const page = await visit.api.page(listPath("/api/tokens", visit), v.array(tokenAnswer));
  const { value: rows } = page;
  const shown = rows.find(({ id }) => id === visit.query.get("token"));
  return (
    <section id="tokens" aria-labelledby="tokens-title">
      <h2 id="tokens-title">API tokens</h2>
      <p>
        A program uses one in place of your login. It has only the rights you give it, and expires on its own.
        By the command line: <code>vantage token create</code>
      </p>
      <Table caption="Your API tokens" columns={columns(visit)} rows={rows} none="No token yet." />
      <Paging visit={visit} page={page} parameter="after" />
      {shown === undefined ? null : await Uses({ visit, token: shown })}
      <NewToken isOperator={visit.person?.isOperator === true} />
    </section>
  );
}

function columns(visit: Visit): Column<Token>[] {
  const { nowMs } = visit;
  return [
    { head: "Name", isName: true, cell: ({ name }) => <Foreign text={name} /> },
    { head: "State", cell: ({ state }) => <Mark look={looks[state]} word={state} /> },
    { head: "Scopes", cell: (token) => token.scopes.join(", ") },
    { head: "Only for", cell: (token) => <Only token={token} /> },
    { head: "Expires", cell: ({ expires_at: at }) => <Time at={at} /> },
    {
      head: "Last used",
      cell: ({ last_used_at: at, last_used_from: from }) => (
        <>
          <Age at={at} nowMs={nowMs} /> {from === null ? null : <code>{from}</code>}
        </>
      ),
    },
    { head: "Probes today", isFigure: true, cell: (token) => grouped(token.probes_today) },
    {
      head: "Actions",
      cell: ({ id, name, state }) => (
        <div class="actions">
          <a href={addressWith(visit, { token: id })} aria-label={`Uses of ${name}`}>
            Uses
          </a>
          {state === "live" ? (
            <Action call={`DELETE /api/tokens/${id}`} word="Revoke" of={name} done="Revoked" isDangerous />
          ) : null}
        </div>
      ),
    },
  ];
}

function Only({ token: { measurement_id: measurement, campaign_id: campaign } }: { readonly token: Token }) {
  if (measurement !== null) {
    return <a href={`/console/measurements/${measurement}`}>one measurement</a>;
  }
  return campaign === null ? <span>–</span> : <a href={`/console/campaigns/${campaign}`}>one campaign</a>;
}

async function Uses({ visit, token: { id, name } }: { readonly visit: Visit; readonly token: Token }) {
  const uses = await visit.api.get(`/api/tokens/${id}/uses`, v.array(tokenUseAnswer));
  return (
    <>
      <h3>
        Uses of <Foreign text={name} />
      </h3>
      <Table
        caption="Uses of the token"
        columns={useColumns}
        rows={uses}
        none="Not used in the last 90 days."
      />
    </>
  );
}

const useColumns: readonly Column<Use>[] = [
  { head: "Day (UTC)", isName: true, cell: ({ day }) => day },
  { head: "Program", cell: ({ tool }) => <Foreign text={tool} /> },
  { head: "Requests", isFigure: true, cell: ({ requests }) => grouped(requests) },
];

function NewToken({ isOperator }: { readonly isOperator: boolean }) {
  const offered = scopes.filter((scope) => isOperator || !scope.startsWith("admin:"));
  return (
    <details id="new-token" class="card">
      <summary>Create a token</summary>
      <form
        data-call="POST /api/tokens"
        data-done="Token created"
        data-shows="{token}"
        data-once="Your new token"
      >
        <fieldset>
          <legend>It may</legend>
          {offered.map((scope) => (
            <ScopeTick scope={scope} />
          ))}
        </fieldset>
        <div class="row">
          <Field label="Name" name="name" isRequired hint="dashboard" grows />
          <Field
            label="Days until it expires"
            name="expires_in_days"
            type="number"
            kind="number"
            value={usualDays}
          />
          <Field label="Probes per day" name="probes_per_day" type="number" kind="number" hint="your quota" />
          <Field label="Only for the measurement" name="measurement_id" hint="its id" />
          <Field label="Only for the campaign" name="campaign_id" hint="its id" />
          <button type="submit" class="main">
            Create token
          </button>
        </div>
      </form>
    </details>
  );
}

function ScopeTick({ scope }: { readonly scope: Scope }) {
  return (
    <label class="tick">
      <input type="checkbox" name="scopes" value={scope} data-kind="ticked" />{" "}
      <span>
        <code>{scope}</code> <span class="soft">{scopeMeanings[scope]}</span>
      </span>
    </label>
  );
}
