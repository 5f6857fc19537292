/** @jsxImportSource hono/jsx */
/** One campaign: its state, and its runs, series, changes and alerts, each with the same figures as a table. */
import type { Child } from "hono/jsx";
import type * as v from "valibot";
import { campaignDetailAnswer } from "../../../lib/base/api/campaigns.ts";
import { grouped } from "../../../lib/base/terminal/figures.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import type { ConsolePage, Visit } from "../page.ts";
import { failureView } from "../parts/failure.tsx";
import { Action } from "../parts/field.tsx";
import { Figure } from "../parts/figure.tsx";
import { Foreign } from "../parts/foreign.tsx";
import { Id } from "../parts/id.tsx";
import { addressWith, Tabs } from "../parts/links.tsx";
import { Mark, phaseLooks } from "../parts/mark.tsx";
import { Share } from "../parts/share.tsx";
import { Time } from "../parts/time.tsx";
import { EditForm } from "./campaign/campaign-form.tsx";
import { campaignParts } from "./campaign/parts.tsx";

type Campaign = v.InferOutput<typeof campaignDetailAnswer>;
type PartName = keyof typeof campaignParts;

const renewSec = 15;

const words = Object.fromEntries(Object.entries(campaignParts).map(([name, { word }]) => [name, word]));

export const campaignPage: ConsolePage = {
  path: "/console/campaigns/:id",
  show: async (visit) => {
    const id = visit.param("id");
    const campaign = await visit.api.get(`/api/campaigns/${encodeURIComponent(id)}`, campaignDetailAnswer);
    return {
      title: visible(campaign.name),
      body: (
        <>
          <State campaign={campaign} />
          {isEditable(campaign) ? <EditForm campaign={campaign} /> : null}
          <Tabs
            label="Parts"
            views={words}
            current={partOf(visit)}
            address={(view) => addressWith(visit, { view })}
          />
          <section id="part" aria-label={words[partOf(visit)]} data-every-s={renewSec}>
            {visit.isAsked("part") ? await part(visit, campaign.id) : null}
          </section>
          {visit.isAsked("share") ? await Share({ visit, id: campaign.id, of: "campaigns" }) : null}
          <Definition campaign={campaign} />
        </>
      ),
    };
  },
};

/** Not a discovery, which has a page of its own. */
function isEditable({ phase, definition }: Campaign): boolean {
  return phase !== "ended" && definition.discover === undefined;
}

/** A campaign's state is in the database: an unavailable column store affects only a part of the page. */
async function part(visit: Visit, id: string): Promise<Child> {
  try {
    return await campaignParts[partOf(visit)].show(visit, id);
  } catch (error) {
    return failureView(error).body;
  }
}

function State({ campaign }: { readonly campaign: Campaign }) {
  const { phase, next_at: next, done, not_done: passed, ended_reason: ended } = campaign;
  const because = campaign.stopped_because;
  return (
    <section id="state" aria-label="State" data-every-s={renewSec}>
      <p>
        <Mark look={phaseLooks[phase]} word={phase} /> <Id id={campaign.id} />{" "}
        {ended === null ? null : <Foreign text={because === null ? ended : `${ended}: ${because}`} />}
      </p>
      <dl class="figures">
        <Figure name="Next run" value={<Time at={next} />} />
        <Figure name="Runs done" value={grouped(done)} />
        <Figure name="Runs missed" value={grouped(passed)} />
        <Figure name="Probes a day" value={grouped(campaign.probes_per_day)} />
      </dl>
      <div class="actions">
        {phase === "ended" ? <Remove campaign={campaign} /> : <Change campaign={campaign} />}
      </div>
    </section>
  );
}

function Change({ campaign: { id, name, phase } }: { readonly campaign: Campaign }) {
  const call = `POST /console/call/api/campaigns/${id}`;
  return (
    <>
      {phase === "paused" ? (
        <Action call={`${call}/resume`} word="Resume" of={name} done="Resumed" />
      ) : (
        <Action call={`${call}/pause`} word="Pause" of={name} done="Paused" />
      )}
      <Action call={`${call}/stop`} word="End permanently" of={name} done="Ended" isDangerous />
    </>
  );
}

/** With its runs, lists and alerts; what it measured stays. */
function Remove({ campaign: { id, name } }: { readonly campaign: Campaign }) {
  const list = "/console/campaigns";
  return (
    <Action
      call={`DELETE /api/campaigns/${id}`}
      word="Remove"
      of={name}
      done="Removed"
      then={list}
      isDangerous
    />
  );
}

function Definition({ campaign: { id, definition, revision, probes } }: { readonly campaign: Campaign }) {
  return (
    <details>
      <summary>{`What it does (revision ${revision})`}</summary>
      <section class="scroll" aria-label="Definition" tabindex={0}>
        <pre>
          <Foreign text={JSON.stringify(definition, null, 2)} />
        </pre>
      </section>
      <p>
        {`${probes.split("\n").filter(Boolean).length} probe lines. By the command line: `}
        <code>{`vantage campaign show ${id}`}</code>
      </p>
    </details>
  );
}

function partOf({ query }: Pick<Visit, "query">): PartName {
  const asked = query.get("view");
  return (Object.keys(campaignParts) as PartName[]).find((name) => name === asked) ?? "runs";
}
