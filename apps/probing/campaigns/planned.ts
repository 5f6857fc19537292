/** A definition to be stored, and its cost. */
import type { Context } from "hono";
import type { Identity } from "../../../lib/engines/auth/token-verifier.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { checkHeld } from "../../../lib/engines/http/owned.ts";
import { inTurns, type Pace } from "../../../lib/engines/http/pace.ts";
import { problem } from "../../../lib/engines/http/problem.ts";
import { userOf } from "../../../lib/engines/http/require-user.ts";
import { estimate } from "../../../lib/measuring/campaign/estimate.ts";
import { firstRun, runAfter, type Schedule } from "../../../lib/measuring/campaign/schedule.ts";
import type { CampaignRouteServices } from "./campaign-services.ts";
import { type Definition, laterProbesMax, probeLinesOf, scheduleOf } from "./definition.ts";
import { forecastOf } from "./discovery/forecast.ts";
import { probesReservedRounds } from "./discovery/limits.ts";
import { firstLine, lengthsOf, unitsOf } from "./discovery/rounds.ts";
import { specOfDefinition } from "./discovery/spec-of-definition.ts";
import type { StoredTargets } from "./discovery/stored-targets.ts";
import { UnitTable } from "./discovery/units.ts";
import { sourceName } from "./events.ts";
import { checkAlerts } from "./notice/check-alerts.ts";
import { badBody, probeTextSteps, readProbeText } from "./probe-text.ts";
import { shapeFault, shapeOfFields } from "./shape-fields.ts";

const nextRunsShown = 5;

type Services = Pick<CampaignRouteServices, "measure" | "config" | "results" | "delivery">;

interface Asker {
  readonly identity: Pick<Identity, "userHash" | "isOperator" | "grant">;
  readonly work: Pace;
}

/** Throws when requireUser did not run before. */
export function askerOf(c: Context<HttpEnv>): Asker {
  return { identity: userOf(c), work: c.get("work") };
}

/** `stored` are targets received as a list instead of in the definition. Throws Problem. */
export async function planned(
  services: Services,
  asker: Asker,
  asked: Definition,
  stored: StoredTargets | null = null,
) {
  const { measure, config } = services;
  const { identity, work } = asker;
  const { userHash } = identity;
  if (sourceName(asked) !== undefined) {
    // It names another campaign, which a token that is narrowed to this one must not observe.
    await checkHeld(identity, null);
  }
  await work.next();
  const given = stored === null ? asked : { ...asked, targets: [inShort(stored)] };
  checkDefinition(services, identity, given, stored !== null);
  const quota = await measure.quota(userHash);
  const made =
    stored === null ? await inTurns(probeLinesOf(given), work) : ({ ok: true, lines: "" } as const);
  if (!made.ok) {
    throw badBody("targets", made.reason);
  }
  const { lines } = made;
  const { definition, agents, forecast, probesPerRun } = await runOf(services, {
    ...{ userHash, definition: given, lines, quota, stored, work },
  });
  await work.next();
  const schedule = scheduleOf(definition, Date.now());
  const cost = estimate(schedule, probesPerRun, quota);
  const { probesPerDay } = cost;
  const { campaignsPerUser: campaignsMax, storedBytesPerUser: storedBytesMax } = config.limits;
  const caps = { campaignsMax, probesPerDayMax: quota, storedBytesMax };
  return {
    order: {
      userHash,
      definition,
      schedule,
      probes: lines,
      targets: stored?.packed ?? null,
      probesPerDay,
      caps,
    },
    forecast,
    shown: {
      agents,
      probes_per_run: cost.probesPerRun,
      runs_per_day: cost.runsPerDay,
      probes_per_day: cost.probesPerDay,
      quota_per_day: quota,
      quota_share: quota === 0 ? 0 : cost.probesPerDay / quota,
      runs: cost.runs,
      probes: cost.probes,
      first_at: timeOf(cost.firstMs),
      last_at: timeOf(cost.lastMs),
      next_runs: nextRunsOf(schedule),
      quota_ends_at: timeOf(cost.quotaEndsMs),
    },
  };
}

/** Shown for a list in place of its targets. */
function inShort({ list }: StoredTargets): string {
  return `a list of ${list.size}`;
}

function checkDefinition(
  { config, results, delivery }: Services,
  { isOperator }: Asker["identity"],
  definition: Definition,
  isListed: boolean,
): void {
  if (definition.forever && !isOperator) {
    throw problem(
      403,
      "no_right_for_ever",
      "Only operators may create campaigns without an end: set stop or max_runs",
    );
  }
  checkAlerts(definition.alerts, { results, delivery });
  if (isListed && definition.discover === undefined) {
    throw badBody("targets", 'go as a list only with "discover": give them in the definition');
  }
  for (const field of ["follow_up", "discover"] as const) {
    if (definition[field] !== undefined && config.storeAddress === null) {
      throw badBody(field, "needs results, and this gateway has no column store");
    }
  }
}

interface RunOrder {
  readonly userHash: string;
  readonly definition: Definition;
  readonly lines: string;
  readonly quota: number;
  readonly stored: StoredTargets | null;
  readonly work: Pace;
}

/** Probes of a run; for a discovery, the maximum. */
async function runOf({ measure }: Services, order: RunOrder) {
  const { userHash, definition, lines, work } = order;
  const { discover, agents: named } = definition;
  if (discover !== undefined) {
    return await discoveryWork(measure, order, discover);
  }
  const read = await inTurns(probeTextSteps(lines), work);
  const fault = shapeFault(definition, read);
  if (fault !== null) {
    throw badBody(...fault);
  }
  const asked = { userHash, agents: named, shape: shapeOfFields(definition) };
  const agents = (await measure.agents(asked, read)).able.length;
  const probesPerRun = (read.probes + laterProbesMax(definition)) * agents;
  return { definition, agents, probesPerRun, forecast: null };
}

async function discoveryWork(
  measure: Services["measure"],
  { userHash, definition, lines, quota, stored, work }: RunOrder,
  discover: NonNullable<Definition["discover"]>,
) {
  const spec = specOfDefinition(definition, discover);
  try {
    const table = await (stored === null
      ? unitsOf(lines, spec, work)
      : UnitTable.of(stored.list, lengthsOf(spec), work));
    const read = readProbeText(firstLine(spec, table));
    const agents = (await measure.agents({ userHash, agents: definition.agents }, read)).able.length;
    if (agents === 0) {
      throw badBody("agents", `${definition.agents}: none of these agents can take part now`);
    }
    const allowed = await measure.rounds?.allowed();
    if (allowed === undefined) {
      throw badBody("discover", "needs a gateway");
    }
    const { probes_max: probesMax = null } = discover;
    const forecast = await forecastOf({ spec, table, allowed, agents, quota, probesMax }, work);
    if (forecast.left_out_subnets === forecast.subnets) {
      const [first] = forecast.left_out;
      throw badBody("targets", `must not be probed, none of them: ${first?.subnet}: ${first?.reason}`);
    }
    const kept = { ...definition, discover: { ...discover, probes_max: forecast.probes_max } };
    return { definition: kept, agents, probesPerRun: reserved(forecast, probesMax), forecast };
  } catch (error) {
    throw error instanceof RangeError ? badBody("targets", error.message) : error;
  }
}

type Forecast = Awaited<ReturnType<typeof forecastOf>>;

/**
 * Probes that count against the daily limit of the user's campaigns. Without its own limit a discovery may send the
 * whole quota, and would leave no room for another: then the expected number counts, although it may need more.
 */
function reserved(
  { probes_expected, probes_first_round, quota_per_day }: Forecast,
  probesMax: number | null,
) {
  const likely = Math.max(probes_expected, probesReservedRounds * probes_first_round);
  return probesMax ?? Math.min(quota_per_day, likely);
}

function nextRunsOf(schedule: Schedule): string[] {
  const times: string[] = [];
  for (
    let run = firstRun(schedule);
    run !== null && times.length < nextRunsShown;
    run = runAfter(schedule, run)
  ) {
    times.push(new Date(run.plannedMs).toISOString());
  }
  return times;
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
