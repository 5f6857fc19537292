/** @jsxImportSource hono/jsx */
/** What is the visitor's own besides measurements: what is left of the quota, source prefixes, API tokens. */
import type * as v from "valibot";
import { limitsAnswer, meAnswer, userPrefixesAnswer } from "../../../lib/base/api/users.ts";
import { grouped, sizeText } from "../../../lib/base/terminal/figures.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { Figure } from "../parts/figure.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Tokens } from "./account/tokens.tsx";

type Prefix = v.InferOutput<typeof userPrefixesAnswer>["agents"][number]["prefixes"][number] & {
  readonly agent: string;
};

export const accountPage: ConsolePage = {
  path: "/console/account",
  show: async (visit) => ({ title: "Your account", body: await Account({ visit }) }),
};

async function Account({ visit }: { readonly visit: Visit }) {
  const [me, limits, { agents }] = await Promise.all([
    visit.api.get("/api/user/me", meAnswer),
    visit.api.get("/api/limits", limitsAnswer),
    visit.api.get("/api/user/prefixes", userPrefixesAnswer),
  ]);
  const { probes_per_day: day, stored_bytes: stored, sql_seconds_per_day: sql } = limits;
  const prefixes = agents.flatMap(({ agent_id: agent, prefixes: own }) =>
    own.map((one) => ({ agent, ...one })),
  );
  return (
    <>
      <p>
        {me.name === null ? null : <Foreign text={`${me.name}: `} />}
        <span class="soft">
          operators see you as <code>{me.user_hash.slice(0, 16)}</code>
        </span>
      </p>
      <dl class="figures">
        <Figure name="Probes left today" value={`${grouped(day.remaining)} of ${grouped(day.limit)}`} />
        <Figure
          name="Stored in the database"
          value={`${sizeText(stored.used)} of ${sizeText(stored.limit)}`}
        />
        <Figure
          name="Seconds of SQL left today"
          value={`${grouped(sql.remaining)} of ${grouped(sql.limit)}`}
        />
        <Figure name="Results are kept" value={`${limits.retention_days} days`} />
      </dl>
      {await Tokens({ visit })}
      <h2>Source prefixes</h2>
      <Table
        caption="Your source prefixes at agents"
        columns={prefixColumns}
        rows={prefixes}
        none="No agent has prefixes of its own for users; probes have the agent's address."
      />
    </>
  );
}

const prefixColumns: readonly Column<Prefix>[] = [
  { head: "Agent", isName: true, cell: ({ agent }) => agent },
  { head: "Your source prefix", cell: ({ user_prefix: prefix }) => <code>{prefix}</code> },
  { head: "Agent's prefix", cell: ({ agent_prefix: prefix }) => <code>{prefix}</code> },
];
