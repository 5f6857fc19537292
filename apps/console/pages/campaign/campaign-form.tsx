/** @jsxImportSource hono/jsx */
/**
 * The form of a new campaign: what is measured, how often and until when, and who is notified. The script of the page
 * looks names up, says what it costs and when it runs, and makes the campaign (client/plan.ts).
 */
import type { Visit } from "../../page.ts";
import { Choice, Field } from "../../parts/field.tsx";
import { type Preset, presetOf } from "../../parts/preset.ts";

const protocols = { udp: "UDP", icmp: "ICMP", tcp: "TCP" } as const;
const kinds = { trace: "Traces", ping: "Pings" } as const;
const intervals = {
  "1m": "minute",
  "5m": "5 minutes",
  "15m": "15 minutes",
  "1h": "hour",
  "6h": "6 hours",
  "1d": "day",
};
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
const usualDays = 7;

export async function CampaignForm({ visit, isOpen }: { readonly visit: Visit; readonly isOpen: boolean }) {
  const preset = await presetOf(visit);
  const until = new Date(visit.nowMs + usualDays * 86_400_000).toISOString().slice(0, 16);
  return (
    <details id="new-campaign" class="card" open={isOpen}>
      <summary>New campaign</summary>
      <form data-plan="campaigns">
        <What preset={preset} />
        <div class="row">
          <Choice label="Every" name="every" value="15m" options={intervals} />
          <Field label="Until (UTC)" name="stop" type="datetime-local" value={until} isRequired />
          <Choice label="Alerts to" name="delivery" value="here" options={deliveries} />
          <Field label="Address of the alerts" name="address" hint="noc@example.net, https://…" grows />
        </div>
        <p class="soft" data-cost-text="" aria-live="polite">
          {preset.lacks} Give targets and agents: what a day costs, and the next runs, appear here.
        </p>
        <div class="row">
          <button type="submit" class="main">
            Create campaign
          </button>
          <span class="soft">
            Alerts are raised on loss, delay, changed paths and silent agents. More, such as cron patterns:{" "}
            <code>vantage campaign create FILE</code>
          </span>
        </div>
      </form>
    </details>
  );
}

function What({ preset: { to, from, protocol, kind } }: { readonly preset: Preset }) {
  return (
    <>
      <div class="row">
        <Field label="Name of the campaign" name="name" isRequired hint="path watch" />
        <Field
          label="Targets (names or addresses)"
          name="to"
          value={to}
          isRequired
          grows
          hint="example.org, 192.0.2.1"
        />
        <Field label="From" name="from" value={from} isRequired hint="west, tag:eu, 3@any" />
      </div>
      <div class="row">
        <Choice label="What" name="kind" value={kind ?? "trace"} options={kinds} />
        <Choice label="With" name="protocol" value={protocol ?? "udp"} options={protocols} />
        <Field label="Flows of a trace" name="flows" type="number" value="8" />
        <Field label="Hops of a trace" name="hops" type="number" value="30" />
        <Field label="Pings of a run" name="pings" type="number" value="10" />
      </div>
    </>
  );
}
