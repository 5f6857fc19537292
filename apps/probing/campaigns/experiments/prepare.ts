/** Checks a new experiment against its grant, the limits of both gateways, and its agents. */
import * as v from "valibot";
import type { plannedExperimentAnswer, startBody } from "../../../../lib/base/api/experiments.ts";
import { GatewayError } from "../../../../lib/engines/gateway-client/gateway-error.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { type Experiment, experimentSchema } from "../../../../lib/measuring/experiment/definition.ts";
import { siteBudget } from "../../../../lib/measuring/experiment/exchange-budget.ts";
import { pathTtls } from "../../../../lib/measuring/experiment/limits.ts";
import { type Plan, planOf } from "../../../../lib/measuring/experiment/plan.ts";
import {
  changesLeft,
  leaseRenewal,
  namedSites,
  unknownBudgets,
} from "../../../../lib/measuring/experiment/terms.ts";
import { formatAddress, parseAddress } from "../../../../lib/net/ip/address.ts";
import { parsePrefix, prefixContains } from "../../../../lib/net/ip/prefix.ts";
import { experimentTargetsMax } from "../limits.ts";
import { badBody } from "../probe-text.ts";
import { ratesAgainst } from "./agent-rates.ts";
import type { ExperimentMeasure } from "./run/experiment-measure.ts";
import { grantGateway, heldGrant } from "./run/grant-plane.ts";
import type { ExperimentServices, RunSettings } from "./runner.ts";

type Held = Awaited<ReturnType<typeof heldGrant>>;

export interface Prepared {
  readonly experiment: Experiment;
  readonly plan: Plan;
  readonly held: Held;
  readonly settings: RunSettings;
  /** The first line of its journal. */
  readonly definition: string;
  readonly shown: v.InferOutput<typeof plannedExperimentAnswer>;
}

/** Throws Problem: 422 with each objection, 502 and 503 where the peering gateway cannot be asked. */
export async function prepared(
  services: ExperimentServices,
  userHash: string,
  body: v.InferOutput<typeof startBody>,
): Promise<Prepared> {
  const given = experimentOf(body.experiment);
  const settings = settingsOf(services, body);
  const held = await grantHeld(services, userHash, body.grant);
  if (!held.prefixes.includes(given.prefix)) {
    throw badBody("grant", `is not for ${given.prefix}: it names ${held.prefixes.join(", ")}`);
  }
  const sites = body.sites ?? namedSites(given);
  if (sites.length === 0) {
    throw badBody("sites", "is missing: the experiment names no exchange server but `all`");
  }
  const nowMs = Date.now();
  const lease = held.leases.find(({ prefix }) => prefix === given.prefix);
  if (lease === undefined) {
    throw badBody("experiment.prefix", "is not a live lease of yours");
  }
  const { budget, time_ms: gatewayMs = nowMs } = held.announced;
  const exchanges = budget.prefixes.find(({ prefix }) => prefix === given.prefix)?.exchanges ?? [];
  const budgets = new Map(
    exchanges.map(({ server, changes_max: max, ...budget }) => [
      server,
      siteBudget({ max, ...budget }, gatewayMs),
    ]),
  );
  const pace = { spacingSec: 60 * (budget.prefix_minutes ?? 0), perHourMax: budget.per_hour_max };
  const { agents, targets } = given.probe;
  const place = { sites, targets: targets.length, agents: agents.length, probesPerPath: pathTtls };
  const plan = planOf(given, { ...place, leaseSec: null, pace, budgets });
  const rates = { actions: plan.actions, agents, targets: targets.length };
  refuseFor([
    ...plan.problems,
    ...(await ratesAgainst(services.measure, rates)),
    ...outOfGrant(plan, held, nowMs),
  ]);
  const sources = await sourcesOf(services.measure, userHash, given);
  const experiment = { ...given, probe: { ...given.probe, agents: sources } };
  const leftSec = Math.floor((Date.parse(lease.end_time) - nowMs) / 1000);
  const notes = [
    ...changesLeft(plan),
    leaseRenewal(plan.endSec, { leftSec, hoursMax: held.max_duration_hours }),
    unknownBudgets(sites, budgets),
  ];
  return {
    ...{ experiment, plan, held, settings },
    definition: JSON.stringify([experiment, sites, pace]),
    shown: {
      ...{ changes: plan.changes, probes: plan.probes, lasts_sec: plan.endSec },
      notes: notes.filter((note) => note !== null),
    },
  };
}

/** Its targets in canonical form, as in replies. Throws Problem 422. */
function experimentOf(given: unknown): Experiment {
  const read = v.safeParse(experimentSchema, given);
  if (!read.success) {
    const [issue] = read.issues;
    throw badBody(
      `experiment${v.getDotPath(issue) === null ? "" : `.${v.getDotPath(issue)}`}`,
      issue.message,
    );
  }
  const { targets } = read.output.probe;
  if (targets.length > experimentTargetsMax) {
    throw badBody("experiment.probe.targets", `are more than ${experimentTargetsMax}`);
  }
  const addresses = targets.map((target, at) => {
    const parsed = parseAddress(target);
    if (parsed === null) {
      throw badBody(`experiment.probe.targets.${at}`, "is not an address");
    }
    return formatAddress(parsed);
  });
  return { ...read.output, probe: { ...read.output.probe, targets: [...new Set(addresses)] } };
}

/** Throws Problem where it is another user's, or the peering gateway refuses it. */
async function grantHeld(
  { peeringGateway }: ExperimentServices,
  userHash: string,
  secret: string,
): Promise<Held> {
  if (peeringGateway === null) {
    throw problem(
      503,
      "no_peering_gateway",
      "This gateway runs no experiments: its operator sets gateway.peering_gateway",
    );
  }
  try {
    const held = await heldGrant(grantGateway(peeringGateway, secret));
    if (held.user_hash !== userHash) {
      throw problem(403, "other_grant", "The grant is another user's: give one of your own");
    }
    return held;
  } catch (error) {
    if (error instanceof GatewayError) {
      const isRefused = error.status !== null && error.status < 500;
      throw isRefused
        ? badBody("grant", `is refused by the peering gateway: ${error.message}`)
        : problem(503, "peering_gateway_unavailable", `The peering gateway is unavailable: ${error.message}`);
    }
    throw error;
  }
}

/** What the grant lacks, in sentences. */
function outOfGrant(
  plan: Plan,
  { kinds, changes, changes_max: most, expires_at }: Held,
  nowMs: number,
): string[] {
  const announcing = new Set(plan.actions.flatMap((one) => (one.kind === "announce" ? [one.sec] : []))).size;
  const endMs = nowMs + 1000 * plan.endSec;
  const used = plan.actions.flatMap((one) =>
    one.kind === "announce"
      ? Object.entries(one.as).flatMap(([name, value]) => (isPlain(value) ? [] : [name]))
      : [],
  );
  const missing = [...new Set(used)].filter(
    (name) => name !== "sites" && !kinds.some((kind) => kind === name),
  );
  return [
    ...missing.map((name) => `The grant does not include ${name}: give one with it`),
    ...(announcing <= most - changes
      ? []
      : [`The plan has ${announcing} changes that announce, and the grant allows ${most - changes} more`]),
    ...(Date.parse(expires_at) >= endMs ? [] : [`The grant ends at ${expires_at}, before the experiment`]),
  ];
}

function isPlain(value: unknown): boolean {
  return (
    value === 0 || value === false || (typeof value === "object" && Object.keys(value ?? {}).length === 0)
  );
}

function refuseFor(problems: readonly string[]): void {
  if (problems.length > 0) {
    throw new Problem({
      ...{ status: 422, code: "plan_refused", message: problems.join(". ") },
      extra: { problems },
    });
  }
}

/**
 * Agents in the form of measurements. An agent without a source probes from the user's first host address there in the
 * prefix, as only replies to these show its routes: `west` becomes `west:[2001:db8:51:c95b:3f80::1]`. Throws Problem.
 */
function sourcesOf(
  measure: ExperimentMeasure,
  userHash: string,
  { prefix, probe }: Experiment,
): Promise<string[]> {
  const announced = parsePrefix(prefix);
  return Promise.all(
    probe.agents.map(async (agent) => {
      if (agent.includes(":")) {
        return agent;
      }
      const prefixes = (await measure.prefixesAt(userHash, agent)).map(parsePrefix);
      const own = prefixes.find(
        (one) => one !== null && announced !== null && prefixContains(announced, one.base),
      );
      if (own === null || own === undefined) {
        throw badBody(
          "experiment.probe.agents",
          `${agent.slice(0, 50)} gives you no address in ${prefix}: its src_ipv6_prefix must lie there; ` +
            "vantage whoami shows what you have",
        );
      }
      const host = Uint8Array.from(own.base);
      host[host.length - 1] = (host.at(-1) ?? 0) | 1;
      return `${agent}:[${formatAddress(host)}]`;
    }),
  );
}

/** Throws Problem 422 for another collector: the gateway asks no others. */
function settingsOf(
  { collectors }: ExperimentServices,
  { interval_sec, settle_sec, collector }: v.InferOutput<typeof startBody>,
): RunSettings {
  if (collector !== undefined && collector !== "none" && !collectors.includes(collector)) {
    const known = collectors.length === 0 ? "it has none" : `it has ${collectors.join(", ")}`;
    throw badBody("collector", `is not one of this gateway's (console.collectors): ${known}`);
  }
  return {
    ...{ interval_ms: 1000 * interval_sec, settle_ms: 1000 * settle_sec },
    collector: collector === "none" ? null : (collector ?? collectors[0] ?? null),
  };
}
