/** @jsxImportSource hono/jsx */
/** The start page: an introduction, and the agents with their health. */
import * as v from "valibot";
import { agentAnswer, agentHealthAnswer } from "../../../lib/base/api/agents.ts";
import { landAddress } from "../frame/files.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { Foreign, Place } from "../parts/foreign.tsx";
import { Mark } from "../parts/mark.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Age } from "../parts/time.tsx";
import { AgentsMap } from "./start/agents-map.tsx";
import { MeasureForm } from "./start/measure-form.tsx";
import { Recent } from "./start/recent.tsx";

const agentSchema = v.object({ ...agentAnswer.entries, health: v.nullable(agentHealthAnswer) });
type ShownAgent = v.InferOutput<typeof agentSchema>;

export const startPage: ConsolePage = {
  path: "/console",
  navigation: { word: "Start", key: "s" },
  show: async (visit) => ({ title: "Start", body: await Start({ visit }) }),
};

async function Start({ visit }: { readonly visit: Visit }) {
  const agents = await visit.api.get("/api/agents", v.array(agentSchema));
  const online = agents.filter((agent) => agent.online).length;
  return (
    <>
      <p class="lead">
        An open platform for Internet measurement: agents at many places send probes for you, and every answer
        of every router on the way is kept.
      </p>
      {agents.some(canMeasure) ? await MeasureForm({ visit, agents: agents.filter(canMeasure) }) : null}
      {visit.person === null ? null : await Recent({ visit })}
      <section aria-labelledby="agents-title">
        <h2 id="agents-title">Agents</h2>
        <p id="agents-count" class="soft">
          {agents.length === 0 ? "No agent has enrolled yet." : `${online} of ${agents.length} online`}
        </p>
        <AgentsMap
          agents={agents.map((agent) => ({ ...agent, isHealthy: canMeasure(agent) }))}
          land={await landAddress()}
        />
        <Table
          id="agents"
          caption="Agents and their health"
          columns={agentColumns(visit.nowMs)}
          rows={agents}
          none="Agents appear here when they have enrolled."
        />
      </section>
    </>
  );
}

/** The gateway decides; agents that cannot take part are not offered. */
function canMeasure({ online, paused, held_by_host: held, health }: ShownAgent): boolean {
  return online && !paused && held === null && health?.healthy === true;
}

function agentColumns(nowMs: number): Column<ShownAgent>[] {
  return [
    { head: "Agent", isName: true, cell: ({ id }) => id },
    { head: "State", cell: (agent) => <AgentState agent={agent} /> },
    { head: "Place", cell: ({ location, country }) => <Place parts={[location, country]} /> },
    { head: "AS", isFigure: true, cell: ({ asn }) => (asn === null ? "–" : `AS${asn}`) },
    { head: "Tags", cell: ({ tags }) => tags.join(" ") || "–" },
    { head: "Last report", cell: ({ last_seen }) => <Age at={last_seen} nowMs={nowMs} /> },
  ];
}

function AgentState({
  agent: { online, paused, held_by_host: held, health },
}: {
  readonly agent: ShownAgent;
}) {
  if (!online) {
    return <Mark look="bad" word="offline" />;
  }
  if (paused) {
    return <Mark look="wait" word="paused" />;
  }
  if (held !== null) {
    return (
      <>
        <Mark look="wait" word="not sending" /> <Foreign text={held} />
      </>
    );
  }
  return health?.healthy === true ? (
    <Mark look="good" word="healthy" />
  ) : (
    <>
      <Mark look="bad" word="unhealthy" /> <Foreign text={health?.message ?? ""} />
    </>
  );
}
