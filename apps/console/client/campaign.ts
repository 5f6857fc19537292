/** The form of a new campaign, `<form data-campaign>`: says its cost and next runs while one types, and makes it. */
import { csrf, reasonOf, setDisabled } from "./forms.ts";
import { onRenewed } from "./fresh-page.ts";
import { showStatus } from "./status-line.ts";
import { addressesOf, targetsMax, wordsOf } from "./targets.ts";

/** Between the last key and the question what it costs. */
const restMs = 500;
const pingTtl = 64;
const tcpPort = 80;

interface Estimate {
  readonly agents: number;
  readonly probes_per_run: number;
  readonly probes_per_day: number;
  readonly quota_per_day: number;
  readonly next_runs: readonly string[];
}

let timer = 0;
/** Grows with each change, so that an answer to an earlier one is not shown. */
let version = 0;

export function listenToCampaignForm(): void {
  onRenewed((place) => {
    const form = place.querySelector<HTMLFormElement>("form[data-campaign]");
    if (form !== null) {
      void showCost(form);
    }
  });
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>("form[data-campaign]") : null;
    if (form !== null) {
      clearTimeout(timer);
      timer = window.setTimeout(() => void showCost(form), restMs);
    }
  });
  document.addEventListener("submit", (event) => {
    const { target: form } = event;
    if (form instanceof HTMLFormElement && form.dataset.campaign !== undefined) {
      event.preventDefault();
      void create(form);
    }
  });
}

async function showCost(form: HTMLFormElement): Promise<void> {
  const place = form.querySelector("[data-cost-text]");
  const asked = ++version;
  const fields = new FormData(form);
  if (place === null || wordsOf(textOf(fields, "to")).length === 0 || textOf(fields, "from") === "") {
    return;
  }
  const text = await costOf(fields).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  if (asked === version) {
    place.textContent = text;
  }
}

async function costOf(fields: FormData): Promise<string> {
  const definition = await definitionOf(fields, () => {});
  const response = await post("/console/call/api/campaigns/estimate", { ...definition, name: "estimate" });
  const { agents, probes_per_run, probes_per_day, quota_per_day, next_runs } =
    (await response.json()) as Estimate;
  const share = quota_per_day === 0 ? "all" : `${Math.ceil((100 * probes_per_day) / quota_per_day)} %`;
  const [run, day] = [probes_per_run, probes_per_day].map((count) => count.toLocaleString("en"));
  return (
    `${run} probes a run from ${agents} agent${agents === 1 ? "" : "s"}, ${day} a day: ${share} of your quota. ` +
    `Next runs (UTC): ${timesOf(next_runs)}`
  );
}

/** Each day once: 2026-11-28 23:45, 2026-11-29 00:00, 00:15. */
function timesOf(times: readonly string[]): string {
  const parts = times.map((at) => ({ day: at.slice(0, 10), time: at.slice(11, 16) }));
  return parts.map(({ day, time }, i) => (parts[i - 1]?.day === day ? time : `${day} ${time}`)).join(", ");
}

async function create(form: HTMLFormElement): Promise<void> {
  const buttons = [...form.querySelectorAll("button")];
  setDisabled(buttons, true);
  try {
    const definition = await definitionOf(new FormData(form), showStatus);
    const response = await post("/console/call/api/campaigns", definition);
    const { campaign } = (await response.json()) as { readonly campaign: { readonly id: string } };
    location.assign(`/console/campaigns/${encodeURIComponent(campaign.id)}`);
  } catch (error) {
    showStatus(error instanceof Error ? error.message : String(error), true);
    setDisabled(buttons, false);
  }
}

/** Rejects with the API's reason. */
async function post(path: string, body: unknown): Promise<Response> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "x-csrf": csrf(), "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(await reasonOf(response));
  }
  return response;
}

/** As `vantage campaign create` reads it from a file; the API checks it. */
async function definitionOf(fields: FormData, note: (text: string) => void) {
  const targets = wordsOf(textOf(fields, "to"));
  if (targets.length > targetsMax) {
    throw new Error(`${targets.length} targets, more than ${targetsMax}: use vantage campaign create FILE`);
  }
  const protocol = textOf(fields, "protocol");
  const count = (name: string) => Number(textOf(fields, name)) || 1;
  const shape =
    textOf(fields, "kind") === "ping"
      ? { ttl: pingTtl, flows: 1, packets: count("pings") }
      : { ttl: `1-${count("hops")}`, flows: count("flows") };
  const stop = textOf(fields, "stop");
  return {
    name: textOf(fields, "name"),
    agents: textOf(fields, "from"),
    targets: await addressesOf(targets, note),
    protocol,
    ...(protocol === "tcp" ? { dst_port: tcpPort } : {}),
    ...shape,
    every: textOf(fields, "every"),
    ...(stop === "" ? {} : { stop: `${stop}:00Z` }),
    ...alertsOf(textOf(fields, "delivery"), textOf(fields, "address")),
  };
}

function alertsOf(kind: string, address: string) {
  if (kind === "none") {
    return {};
  }
  const delivery = kind === "email" ? { email: address } : { webhook: address, format: kind };
  return { alerts: { deliveries: kind === "here" ? [] : [delivery] } };
}

function textOf(fields: FormData, name: string): string {
  return String(fields.get(name) ?? "").trim();
}
