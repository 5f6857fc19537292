/** The form of a campaign, new or edited: its definition, its cost, and what its alert rules would have raised. */
import { counted, grouped, percent, timesOf } from "./figures.ts";
import { textOf, textOfError } from "./forms.ts";
import { answerTo, type Plan } from "./plan-calls.ts";
import { addressesOf, targetsMax, wordsOf } from "./targets.ts";

const pingTtl = 64;
const tcpPort = 80;
const path = "/api/campaigns";
/** Listed below the number of alerts. */
const eventsShown = 8;

interface Estimate {
  readonly agents: number;
  readonly probes_per_run: number;
  readonly probes_per_day: number;
  readonly quota_per_day: number;
  readonly next_runs: readonly string[];
}

interface Preview {
  readonly runs: number;
  readonly raised: number;
  readonly active: number;
  readonly events: readonly PreviewEvent[];
  readonly note: string | null;
}

interface PreviewEvent {
  readonly run: number;
  readonly planned_at: string;
  readonly kind: "raised" | "cleared";
  readonly detector: string;
  readonly agent: string;
  readonly destination: string;
  readonly reason: string;
}

interface Alerts {
  readonly detectors?: Readonly<Record<string, object>>;
  readonly deliveries?: readonly object[];
}

/** A definition as the API shows it. */
type Definition = Readonly<Record<string, unknown>> & { readonly alerts?: Alerts };

export const campaignPlan: Plan = {
  estimate: async (form) => {
    const fields = new FormData(form);
    const isGiven = wordsOf(textOf(fields, "to")).length > 0 || hasOwnProbes(form);
    if (!isGiven || textOf(fields, "from") === "") {
      return null;
    }
    const definition = await definitionOf(form, () => {});
    const body = JSON.stringify({ ...definition, name: "estimate" });
    return { method: "POST", path: `${path}/estimate`, body, type: "application/json" };
  },
  cost: (answer) => costOf(answer as Estimate),
  order: async (form, note) => {
    const { edits } = form.dataset;
    const body = JSON.stringify(await definitionOf(form, note));
    return edits === undefined
      ? { method: "POST", path, body, type: "application/json" }
      : { method: "PUT", path: `${path}/${edits}`, body, type: "application/json" };
  },
  page: (answer) => `/console/campaigns/${(answer as { campaign: { id: string } }).campaign.id}`,
  more: showPreview,
};

function costOf({ agents, probes_per_run, probes_per_day, quota_per_day, next_runs }: Estimate): string {
  return (
    `${grouped(probes_per_run)} probes a run from ${counted(agents, "agent")}, ${grouped(probes_per_day)} a day: ` +
    `${percent(probes_per_day, quota_per_day)} of your quota. ` +
    (next_runs.length === 0 ? "Each event starts a run." : `Next runs (UTC): ${timesOf(next_runs)}`)
  );
}

/** Probe lines of a file instead of targets; the form does not show them. */
function hasOwnProbes(form: HTMLFormElement): boolean {
  return form.dataset.hasProbes !== undefined;
}

/** As the command line reads it from a file; the API checks it. */
async function definitionOf(form: HTMLFormElement, note: (text: string) => void): Promise<object> {
  const fields = new FormData(form);
  const words = wordsOf(textOf(fields, "to"));
  if (words.length > targetsMax) {
    throw new Error(`${words.length} targets, more than ${targetsMax}: use the command line`);
  }
  const { probes, definition: base } = await editedCampaign(form);
  const what = hasOwnProbes(form)
    ? { ...base, probes }
    : { ...base, ...shapeOf(fields, base), targets: await addressesOf(words, note) };
  const { alerts: _, ...kept } = what as Definition;
  return {
    ...{ ...kept, ...timingOf(fields, kept) },
    ...{ name: textOf(fields, "name"), agents: textOf(fields, "from") },
    ...alertsOf(fields, base.alerts),
  };
}

interface Edited {
  readonly definition: Definition;
  readonly probes: string;
}

const edited = new Map<string, Promise<Edited>>();

/** What the form does not show stays as it is. */
function editedCampaign({ dataset: { edits } }: HTMLFormElement): Promise<Edited> {
  if (edits === undefined) {
    return Promise.resolve({ definition: {}, probes: "" });
  }
  const known = edited.get(edits);
  if (known !== undefined) {
    return known;
  }
  const asked = fetch(`/console/call${path}/${edits}`).then((response) => response.json() as Promise<Edited>);
  edited.set(edits, asked);
  return asked;
}

function shapeOf(fields: FormData, base: Definition): object {
  const count = (name: string) => Number(textOf(fields, name)) || 1;
  const protocol = textOf(fields, "protocol");
  const shape =
    textOf(fields, "kind") === "ping"
      ? { ttl: pingTtl, flows: 1, packets: count("pings") }
      : { ttl: `1-${count("hops")}`, flows: count("flows"), packets: 1 };
  const port = protocol === base.protocol ? base.dst_port : protocol === "tcp" ? tcpPort : undefined;
  return { ...shape, protocol, dst_port: port };
}

/** "" = as it is; a new end replaces a number of runs. */
function timingOf(fields: FormData, base: Definition): object {
  const [every, stop] = [textOf(fields, "every"), textOf(fields, "stop")];
  const spread = every === String(base.every) ? base.spread : undefined;
  const on = eventOf(fields);
  const other = { every: undefined, cron: undefined, zone: undefined, spread: undefined };
  return {
    ...(on !== undefined ? { ...other, on } : every === "" ? {} : { ...other, every, on, spread }),
    ...(stop === "" ? {} : { stop: `${stop}:00Z`, forever: undefined }),
  };
}

/** Undefined = runs start by the clock, or as before. */
function eventOf(fields: FormData): object | undefined {
  const campaign = textOf(fields, "event_of");
  switch (textOf(fields, "event")) {
    case "alert":
      return { alert: campaign };
    case "route":
      return { alert: campaign, detectors: ["route"] };
    case "ended":
      return { ended: campaign };
    case "webhook":
      return { webhook: true };
    default:
      return undefined;
  }
}

function alertsOf(fields: FormData, base: Alerts = {}): { alerts?: Alerts } {
  const kind = textOf(fields, "delivery");
  if (kind === "none") {
    return {};
  }
  const address = textOf(fields, "address");
  const delivery = kind === "email" ? { email: address } : { webhook: address, format: kind };
  const deliveries = kind === "here" ? [] : kind === "kept" ? (base.deliveries ?? []) : [delivery];
  return { alerts: { detectors: detectorsOf(fields, base.detectors ?? {}), deliveries } };
}

function detectorsOf(fields: FormData, base: Readonly<Record<string, object>>): Record<string, object> {
  const given = (name: string, keys: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(keys).flatMap(([key, field]) => {
        const text = textOf(fields, `${name}_${field}`);
        return text === "" ? [] : [[key, Number(text)]];
      }),
    );
  const figures: Readonly<Record<string, object>> = {
    loss: given("loss", { threshold_percent: "percent", runs: "runs" }),
    rtt: given("rtt", { gap_ms: "ms", gap_percent: "percent" }),
  };
  const names = fields.getAll("detector").map(String);
  return Object.fromEntries(names.map((name) => [name, { ...base[name], ...figures[name] }]));
}

let previewed = "";

/** Over the campaign's runs; rules that were tried already are not tried again. */
async function showPreview(form: HTMLFormElement): Promise<void> {
  const place = form.querySelector("[data-preview]");
  const { edits } = form.dataset;
  if (place === null || edits === undefined) {
    return;
  }
  const { definition } = await editedCampaign(form);
  const { alerts } = alertsOf(new FormData(form), definition.alerts);
  const body = JSON.stringify({ alerts: { ...alerts, deliveries: [] } });
  if (alerts === undefined || body === previewed) {
    place.textContent = alerts === undefined ? "" : place.textContent;
    previewed = alerts === undefined ? "" : previewed;
    return;
  }
  previewed = body;
  const call = {
    method: "POST",
    path: `${path}/${edits}/alerts/preview`,
    body,
    type: "application/json",
  } as const;
  try {
    showEvents(place, (await answerTo(call)) as Preview);
  } catch (error) {
    place.textContent = textOfError(error);
  }
}

function showEvents(place: Element, { runs, raised, active, events, note }: Preview): void {
  const times = raised === 1 ? "once" : raised === 2 ? "twice" : `${raised} times`;
  const would = raised === 0 ? "would not have fired" : `would have fired ${times}`;
  const still = active === 0 ? "" : ` (${active} not cleared)`;
  const rest =
    events.length > eventsShown ? ` The first ${eventsShown} of ${counted(events.length, "change")}:` : "";
  const text =
    runs === 0
      ? "No run to try these rules on yet."
      : `Over the last ${counted(runs, "run")}, these rules ${would}${still}.${rest}`;
  const list = document.createElement("ul");
  for (const event of events.slice(0, eventsShown)) {
    list.append(Object.assign(document.createElement("li"), { textContent: eventText(event) }));
  }
  place.replaceChildren([text, note].filter(Boolean).join(" "), ...(events.length === 0 ? [] : [list]));
}

function eventText({
  run,
  planned_at: at,
  kind,
  detector,
  agent,
  destination,
  reason,
}: PreviewEvent): string {
  const pair = destination === "" ? agent : `${agent} to ${destination}`;
  return `Run ${run} (${timesOf([at])}): ${detector} ${kind}, ${pair}: ${reason}`;
}
