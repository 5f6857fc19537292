/** @jsxImportSource hono/jsx */
/** One experiment: its state, and its time line, catchments and convergence, each with the same figures as a table. */
import { experimentDetailAnswer } from "../../../lib/base/api/experiments.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { Action } from "../parts/field.tsx";
import { Figure } from "../parts/figure.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { Id } from "../parts/id.tsx";
import { addressWith, Tabs } from "../parts/links.tsx";
import { experimentLooks, Mark } from "../parts/mark.tsx";
import { Age, Time } from "../parts/time.tsx";
import { type Experiment, experimentParts } from "./experiment/parts.tsx";

type PartName = keyof typeof experimentParts;

const renewSec = 15;
const words = Object.fromEntries(Object.entries(experimentParts).map(([name, { word }]) => [name, word]));

export const experimentPage: ConsolePage = {
  path: "/console/experiments/:id",
  show: async (visit) => {
    const id = visit.param("id");
    const path = `/api/experiments/${encodeURIComponent(id)}`;
    const experiment = await visit.api.get(path, experimentDetailAnswer);
    const name = partOf(visit);
    return {
      title: visible(experiment.name),
      body: (
        <>
          <State experiment={experiment} nowMs={visit.nowMs} />
          <Tabs
            label="Parts"
            views={words}
            current={name}
            address={(view) => addressWith(visit, { view, change: null })}
          />
          <section
            id="part"
            aria-label={words[name]}
            {...(experiment.state === "running" ? { "data-every-s": renewSec } : {})}
          >
            {visit.isAsked("part") ? await experimentParts[name].show(visit, experiment) : null}
          </section>
        </>
      ),
    };
  },
};

function partOf({ query }: Visit): PartName {
  const asked = query.get("view") ?? "";
  return Object.hasOwn(experimentParts, asked) ? (asked as PartName) : "timeline";
}

function State({ experiment, nowMs }: { readonly experiment: Experiment; readonly nowMs: number }) {
  const { id, state, reason, prefix, begun_at: begun, heard_at: updated, done, actions } = experiment;
  return (
    <section id="state" aria-label="State" data-every-s={renewSec}>
      <p>
        <Mark look={experimentLooks[state]} word={state} /> <Id id={id} />{" "}
        {reason === null ? null : <Foreign text={reason} />}
      </p>
      {state === "silent" ? (
        <p class="soft">
          No gateway has run it for two minutes, so its announcements have ended. It continues when one does.
        </p>
      ) : null}
      <dl class="figures">
        <Figure name="Prefix" value={<code>{prefix}</code>} />
        <Figure name="Started" value={<Time at={begun} />} />
        <Figure name="Last update" value={<Age at={updated} nowMs={nowMs} />} />
        <Figure name="Actions done" value={`${grouped(done)} of ${grouped(actions)}`} />
        <Figure name="Targets" value={grouped(experiment.targets)} />
      </dl>
      <p class="soft">
        Download:{" "}
        <a href={`/console/call/api/experiments/${id}/timeline?format=csv`} download="timeline.csv">
          the time line as CSV
        </a>
        ,{" "}
        <a href={`/console/call/api/experiments/${id}/journal`} download="journal.ndjson">
          the journal
        </a>
      </p>
      <Changes experiment={experiment} />
    </section>
  );
}

function Changes({ experiment: { id, name, state, grant_id: grant } }: { readonly experiment: Experiment }) {
  const call = `/api/experiments/${id}`;
  if (state === "ended" || grant === null) {
    const then = "/console/experiments";
    return (
      <div class="actions">
        <Action call={`DELETE ${call}`} word="Remove" of={name} done="Removed" then={then} isDangerous />
      </div>
    );
  }
  return (
    <div class="actions">
      {state === "paused" ? (
        <Action call={`POST ${call}/resume`} word="Resume" of={name} done="Resumed" />
      ) : (
        <Action call={`POST ${call}/pause`} word="Pause" of={name} done="Paused" />
      )}
      <Action call={`POST ${call}/stop`} word="Stop and withdraw" of={name} done="Stopped" isDangerous />
    </div>
  );
}
