/** @jsxImportSource hono/jsx */
/**
 * The form of a campaign, new or edited: what is measured, how often and until when, and which alerts go where. The
 * script of the page resolves names, shows cost and times of runs, and creates the campaign (client/plan.ts).
 */
import type * as v from "valibot";
import type { campaignDetailAnswer } from "../../../../lib/base/api/campaigns.ts";
import type { Visit } from "../../page.ts";
import { Choice, Field, Targets } from "../../parts/field.tsx";
import { presetOf } from "../../parts/preset.ts";
import { AlertRules } from "./alert-rules.tsx";
import { type GivenCampaign, givenOf, intervals, newCampaign } from "./given-campaign.ts";

type Campaign = v.InferOutput<typeof campaignDetailAnswer>;

const protocols = { udp: "UDP", icmp: "ICMP", tcp: "TCP" } as const;
const kinds = { trace: "Traces", ping: "Pings" } as const;
const deliveries = {
  here: "this page alone",
  none: "no alerts",
  email: "an e-mail address",
  slack: "Slack",
  mattermost: "Mattermost",
  matrix: "Matrix",
  discord: "Discord",
  alertmanager: "Alertmanager",
};

/** In place of an interval; client/campaign-plan.ts makes `on` of it. */
const events = {
  "": "no event",
  alert: "an alert",
  route: "a changed route",
  ended: "a campaign's end",
  webhook: "a webhook",
} as const;

export async function CampaignForm({ visit, isOpen }: { readonly visit: Visit; readonly isOpen: boolean }) {
  const preset = await presetOf(visit);
  return (
    <details id="new-campaign" class="card" open={isOpen}>
      <summary>New campaign</summary>
      <form data-plan="campaigns">
        <Fields given={newCampaign(preset, visit.nowMs)} />
        <p class="soft" data-cost-text="" aria-live="polite">
          {preset.lacks} Give targets and agents: what a day costs, and the next runs, appear here.
        </p>
        <div class="row">
          <button type="submit" class="main">
            Create campaign
          </button>
          <span class="soft">
            More, such as cron patterns: <code>vantage campaign create FILE</code>
          </span>
        </div>
      </form>
    </details>
  );
}

/** Its definition, as a revision that counts from the next run on. */
export function EditForm({ campaign }: { readonly campaign: Campaign }) {
  const given = givenOf(campaign);
  return (
    <details id="edit-campaign" class="card">
      <summary>Edit</summary>
      <form
        data-plan="campaigns"
        data-edits={campaign.id}
        data-has-probes={given.probeLines === null ? undefined : ""}
      >
        <Fields given={given} />
        <p class="soft" data-cost-text="" aria-live="polite" />
        <div class="soft" data-preview="" aria-live="polite" />
        <div class="row">
          <button type="submit" class="main">
            Save changes
          </button>
          <span class="soft">
            From the next run on. By the command line:{" "}
            <code>{`vantage campaign edit ${campaign.id} FILE`}</code>
          </span>
        </div>
      </form>
    </details>
  );
}

function Fields({ given }: { readonly given: GivenCampaign }) {
  const kept = given.keptDeliveries === null ? {} : { kept: given.keptDeliveries };
  const every = given.otherInterval === null ? {} : { "": given.otherInterval };
  return (
    <>
      <div class="row">
        <Field label="Name of the campaign" name="name" value={given.name} isRequired hint="path watch" />
        {given.probeLines === null ? (
          <Targets value={given.to} />
        ) : (
          <p class="grow">{`Probes: ${given.probeLines} lines of its file, which stay as they are.`}</p>
        )}
        <Field label="From" name="from" value={given.from} isRequired hint="west, tag:eu, 3@any" />
      </div>
      {given.probeLines === null ? <Shape given={given} /> : null}
      <div class="row">
        <Choice label="Every" name="every" value={given.every} options={{ ...every, ...intervals }} />
        <Choice label="Or start on" name="event" value="" options={events} />
        <Field label="Its campaign" name="event_of" hint="for alerts and ends" />
        <Field
          label={`Until (UTC)${given.end === null ? "" : `; empty: ${given.end}`}`}
          name="stop"
          type="datetime-local"
          value={given.stop}
          isRequired={given.end === null}
        />
        <Choice
          label="Alerts to"
          name="delivery"
          value={given.delivery}
          options={{ ...kept, ...deliveries }}
        />
        <Field label="Address of the alerts" name="address" hint="noc@example.net, https://…" grows />
      </div>
      <AlertRules given={given.detectors} />
    </>
  );
}

function Shape({ given: { kind, protocol, flows, hops, pings } }: { readonly given: GivenCampaign }) {
  return (
    <div class="row">
      <Choice label="What" name="kind" value={kind} options={kinds} />
      <Choice label="With" name="protocol" value={protocol} options={protocols} />
      <Field label="Flows of a trace" name="flows" type="number" value={flows} />
      <Field label="Hops of a trace" name="hops" type="number" value={hops} />
      <Field label="Pings of a run" name="pings" type="number" value={pings} />
    </div>
  );
}
