/**
 * Forms of a new campaign or discovery, `<form data-plan="campaigns">`: say what it costs while one types, and make it.
 */
import { post, submit, textOf, textOfError } from "./forms.ts";
import { onRenewed } from "./fresh-page.ts";
import { showStatus } from "./status-line.ts";
import { addressesOf, targetsMax, wordsOf } from "./targets.ts";

/** Between the last key and the question what it costs. */
const restMs = 500;
const pingTtl = 64;
const tcpPort = 80;
const chosen = "form[data-plan]";

interface Estimate {
  readonly agents: number;
  readonly probes_per_run: number;
  readonly probes_per_day: number;
  readonly quota_per_day: number;
  readonly next_runs: readonly string[];
}

interface Forecast {
  readonly agents: number;
  readonly prefixes: number;
  readonly probes_first_round: number;
  readonly probes_expected: number;
  readonly probes_max: number;
  readonly quota_per_day: number;
  readonly first_round_sec: number;
}

interface Kind {
  readonly definition: (fields: FormData, targets: readonly string[]) => object;
  /** From the answer to `/api/KIND/estimate`. */
  readonly cost: (answer: unknown) => string;
  /** From the answer to `/api/KIND`. */
  readonly page: (answer: unknown) => string;
  readonly targetsMax: number;
}

/** Lines of a file are pasted; the body has 1 MB. */
const prefixesMax = 10_000;

const kinds: Readonly<Record<string, Kind>> = {
  campaigns: {
    definition: campaignOf,
    cost: (answer) => campaignCost(answer as Estimate),
    page: (answer) => `/console/campaigns/${(answer as { campaign: { id: string } }).campaign.id}`,
    targetsMax,
  },
  discoveries: {
    definition: discoveryOf,
    cost: (answer) => discoveryCost(answer as Forecast),
    page: (answer) =>
      `/console/discovery?discovery=${(answer as { discovery: { id: string } }).discovery.id}`,
    targetsMax: prefixesMax,
  },
};

let timer = 0;
/** Grows with each change, so that an answer to an earlier one is not shown. */
let version = 0;

export function listenToPlanForms(): void {
  onRenewed((place) => {
    const form = place.querySelector<HTMLFormElement>(chosen);
    if (form !== null) {
      void showCost(form);
    }
  });
  document.addEventListener("input", ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>(chosen) : null;
    if (form !== null) {
      clearTimeout(timer);
      timer = window.setTimeout(() => void showCost(form), restMs);
    }
  });
  document.addEventListener("submit", (event) => {
    const { target: form } = event;
    if (form instanceof HTMLFormElement && form.dataset.plan !== undefined) {
      event.preventDefault();
      void submit(form, () => create(form));
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
  const text = await costOf(form, fields).catch(textOfError);
  if (asked === version) {
    place.textContent = text;
  }
}

async function costOf(form: HTMLFormElement, fields: FormData): Promise<string> {
  const kind = kindOf(form);
  const definition = await definitionOf(kind, fields, () => {});
  return kind.cost(await answerTo(`${pathOf(form)}/estimate`, { ...definition, name: "estimate" }));
}

function campaignCost({
  agents,
  probes_per_run,
  probes_per_day,
  quota_per_day,
  next_runs,
}: Estimate): string {
  return (
    `${grouped(probes_per_run)} probes a run from ${counted(agents, "agent")}, ${grouped(probes_per_day)} a day: ` +
    `${percent(probes_per_day, quota_per_day)} of your quota. Next runs (UTC): ${timesOf(next_runs)}`
  );
}

function discoveryCost(forecast: Forecast): string {
  const {
    agents,
    prefixes,
    probes_first_round: first,
    probes_expected: expected,
    probes_max: max,
  } = forecast;
  const sec = Math.ceil(forecast.first_round_sec);
  return [
    `${counted(prefixes, "prefix", "es")} from ${counted(agents, "agent")}:`,
    `${grouped(first)} probes in the first round, ${sec} s; some ${grouped(expected)} in all,`,
    `at most ${grouped(max)}: ${percent(max, forecast.quota_per_day)} of your quota.`,
    expected > max ? "It likely ends before all is found." : "Likely enough for all.",
  ].join(" ");
}

/** As in lib/base/terminal, of which this script has nothing. */
function counted(count: number, word: string, more = "s"): string {
  return `${grouped(count)} ${word}${count === 1 ? "" : more}`;
}

function grouped(count: number): string {
  return count.toLocaleString("en");
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "all" : `${Math.ceil((100 * part) / whole)} %`;
}

/** Each day once: 2026-11-28 23:45, 2026-11-29 00:00, 00:15. */
function timesOf(times: readonly string[]): string {
  const parts = times.map((at) => ({ day: at.slice(0, 10), time: at.slice(11, 16) }));
  return parts.map(({ day, time }, i) => (parts[i - 1]?.day === day ? time : `${day} ${time}`)).join(", ");
}

async function create(form: HTMLFormElement): Promise<string> {
  const kind = kindOf(form);
  const definition = await definitionOf(kind, new FormData(form), showStatus);
  return kind.page(await answerTo(pathOf(form), definition));
}

async function answerTo(path: string, body: object): Promise<unknown> {
  return (await post(path, JSON.stringify(body), { "content-type": "application/json" })).json();
}

function kindOf(form: HTMLFormElement): Kind {
  const kind = kinds[form.dataset.plan ?? ""];
  if (kind === undefined) {
    throw new Error("The page and its script are of different versions: reload it");
  }
  return kind;
}

function pathOf(form: HTMLFormElement): string {
  return `/console/call/api/${form.dataset.plan}`;
}

/** As the command line reads it from a file; the API checks it. */
async function definitionOf(kind: Kind, fields: FormData, note: (text: string) => void): Promise<object> {
  const targets = wordsOf(textOf(fields, "to"));
  if (targets.length > kind.targetsMax) {
    throw new Error(`${targets.length} targets, more than ${kind.targetsMax}: use the command line`);
  }
  return kind.definition(fields, await addressesOf(targets, note));
}

function campaignOf(fields: FormData, targets: readonly string[]): object {
  const protocol = textOf(fields, "protocol");
  const count = (name: string) => Number(textOf(fields, name)) || 1;
  const shape =
    textOf(fields, "kind") === "ping"
      ? { ttl: pingTtl, flows: 1, packets: count("pings") }
      : { ttl: `1-${count("hops")}`, flows: count("flows") };
  const stop = textOf(fields, "stop");
  return {
    ...{ name: textOf(fields, "name"), agents: textOf(fields, "from"), targets, protocol, ...shape },
    ...(protocol === "tcp" ? { dst_port: tcpPort } : {}),
    every: textOf(fields, "every"),
    ...(stop === "" ? {} : { stop: `${stop}:00Z` }),
    ...alertsOf(textOf(fields, "delivery"), textOf(fields, "address")),
  };
}

function discoveryOf(fields: FormData, targets: readonly string[]): object {
  const [name, most] = [textOf(fields, "name"), textOf(fields, "probes_max")];
  return {
    ...(name === "" ? {} : { name }),
    ...{ agents: textOf(fields, "from"), targets, protocol: textOf(fields, "protocol") },
    discover: {
      strategy: textOf(fields, "strategy"),
      ...(most === "" ? {} : { probes_max: Number(most) }),
    },
  };
}

function alertsOf(kind: string, address: string) {
  if (kind === "none") {
    return {};
  }
  const delivery = kind === "email" ? { email: address } : { webhook: address, format: kind };
  return { alerts: { deliveries: kind === "here" ? [] : [delivery] } };
}
