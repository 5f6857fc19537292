/** The form of a discovery: its targets are typed, or are the lines of a file. */
import { counted, grouped, percent } from "./figures.ts";
import { textOf } from "./forms.ts";
import type { Call, Plan } from "./plan-calls.ts";
import { addressesOf, wordsOf } from "./targets.ts";

interface Forecast {
  readonly agents: number;
  readonly prefixes: number;
  readonly probes_first_round: number;
  readonly probes_expected: number;
  readonly probes_max: number;
  readonly quota_per_day: number;
  readonly first_round_sec: number;
  readonly left_out_subnets: number;
}

/** As JSON, whose body has 1 MB; a file has up to 64 MiB. */
const prefixesMax = 10_000;
const path = "/api/discoveries";

export const discoveryPlan: Plan = {
  estimate: async (form) => {
    const fields = new FormData(form);
    const isGiven = fileOf(fields) !== null || wordsOf(textOf(fields, "to")).length > 0;
    return isGiven && textOf(fields, "from") !== "" ? await call(fields, "/estimate", () => {}) : null;
  },
  cost: (answer) => costOf(answer as Forecast),
  order: async (form, note) => await call(new FormData(form), "", note),
  page: (answer) => `/console/discovery?discovery=${(answer as { discovery: { id: string } }).discovery.id}`,
};

async function call(fields: FormData, after: string, note: (text: string) => void): Promise<Call> {
  const order = orderOf(fields);
  const file = fileOf(fields);
  if (file !== null) {
    const query = new URLSearchParams({ order: JSON.stringify(order) });
    return { method: "POST", path: `${path}${after}?${query}`, body: file, type: "text/plain" };
  }
  const words = wordsOf(textOf(fields, "to"));
  if (words.length > prefixesMax) {
    throw new Error(`${words.length} targets, more than ${prefixesMax}: choose a file`);
  }
  const body = JSON.stringify({ ...order, targets: await addressesOf(words, note) });
  return { method: "POST", path: `${path}${after}`, body, type: "application/json" };
}

function fileOf(fields: FormData): File | null {
  const file = fields.get("list");
  return file instanceof File && file.size > 0 ? file : null;
}

function orderOf(fields: FormData): object {
  const [name, most, budget] = ["name", "probes_max", "budget"].map((field) => textOf(fields, field));
  return {
    ...(name === "" ? {} : { name }),
    ...{ agents: textOf(fields, "from"), protocol: textOf(fields, "protocol") },
    discover: {
      strategy: textOf(fields, "strategy"),
      ...(most === "" ? {} : { probes_max: Number(most) }),
      ...(budget === "" ? {} : { budget_prefixes: Number(budget) }),
    },
  };
}

function costOf(forecast: Forecast): string {
  const { probes_first_round: first, probes_expected: expected, probes_max: max } = forecast;
  const { agents, prefixes, left_out_subnets: leftOut } = forecast;
  return [
    `${counted(prefixes, "prefix", "es")} from ${counted(agents, "agent")}:`,
    `${grouped(first)} probes in the first round, ${Math.ceil(forecast.first_round_sec)} s;`,
    `about ${grouped(expected)} in all,`,
    `at most ${grouped(max)}: ${percent(max, forecast.quota_per_day)} of your quota.`,
    expected > max ? "It likely ends before all is found." : "Likely enough for all.",
    leftOut === 0 ? "" : `${counted(leftOut, "subnet")} must not be probed and are left out.`,
  ].join(" ");
}
