/**
 * Takes the steps of runs: each is claimed, submitted under a key of its own, and written down. Whoever is killed
 * between any two of these leaves a step that another gateway takes under the same key.
 */
import { stepKey } from "../../lib/campaign/advance.ts";
import { agentOffsetMs } from "../../lib/campaign/spread.ts";
import { Problem } from "../../lib/http/problem.ts";
import type { CampaignServices } from "./campaign-services.ts";
import { claimSec, reasonCharsMax, retrySec, spreadGroupsMax, stepsAtOnceMax } from "./limits.ts";

interface Step {
  readonly campaign_id: string;
  readonly run: number;
  readonly step: number;
  readonly user_hash: string;
  readonly agents: string;
  readonly probes: string;
  readonly spread_sec: number;
  readonly is_late: boolean;
  /** Made under the step's key before. */
  readonly measurement_id: string | null;
}

type Place = Pick<Step, "campaign_id" | "run" | "step">;

export class StepTaker {
  readonly #services: CampaignServices;
  readonly #onTaken: () => void;
  readonly #underWay = new Set<Promise<void>>();

  /** `onTaken` is called whenever there is room for another step. */
  constructor(services: CampaignServices, onTaken: () => void) {
    this.#services = services;
    this.#onTaken = onTaken;
  }

  get room(): number {
    return stepsAtOnceMax - this.#underWay.size;
  }

  /** Claims due steps, as many as there is room for; they go on after it has resolved. */
  async claim(): Promise<void> {
    for (const step of this.room === 0 ? [] : await claim(this.#services, this.room)) {
      const taking = take(this.#services, step).finally(() => {
        this.#underWay.delete(taking);
        this.#onTaken();
      });
      this.#underWay.add(taking);
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

function claim({ database: { sql, timed } }: CampaignServices, room: number): Promise<Step[]> {
  return timed(
    "campaign_claim",
    () => sql<Step[]>`
      WITH due AS (
        SELECT campaign_id, run, step FROM campaign_steps
        WHERE state = 'due' AND due_at <= now() AND (claimed_until IS NULL OR claimed_until < now())
        ORDER BY due_at LIMIT ${room} FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE campaign_steps AS step SET claimed_until = now() + ${claimSec} * interval '1 s'
        FROM due WHERE (step.campaign_id, step.run, step.step) = (due.campaign_id, due.run, due.step)
        RETURNING step.*
      )
      SELECT claimed.campaign_id, claimed.run, claimed.step, user_hash, claimed.agents, probes,
        coalesce((definition->>'spread')::integer, 0) AS spread_sec, now() > latest_at AS is_late,
        (SELECT made.measurement_id FROM measurements AS made WHERE made.user_hash = campaign.user_hash
          AND idempotency_key = concat_ws(' ', 'campaign', claimed.campaign_id, claimed.run, claimed.step)
        ) AS measurement_id
      FROM claimed JOIN campaigns AS campaign USING (campaign_id)
        JOIN campaign_runs AS run ON (run.campaign_id, run.run) = (claimed.campaign_id, claimed.run)
        JOIN campaign_revisions AS revised
          ON (revised.campaign_id, revised.revision) = (run.campaign_id, run.revision)`,
  );
}

/** Never rejects: without the database, the claim of a step ends by itself. */
async function take(services: CampaignServices, step: Step): Promise<void> {
  try {
    if (step.measurement_id !== null) {
      await taken(services, step, step.measurement_id);
    } else if (step.is_late) {
      await over(services, step, "missed", "Nobody could begin it in time");
    } else if (step.step === 0 && step.spread_sec > 0) {
      await spread(services, step, await services.measure.agents(orderOf(step)));
    } else {
      await taken(services, step, await services.measure.submit(orderOf(step)));
    }
  } catch (error) {
    await failed(services, step, error).catch(() => {});
  }
}

function orderOf({ campaign_id, run, step, user_hash: userHash, agents, probes }: Step) {
  return { userHash, key: stepKey(campaign_id, run, step), agents, probes };
}

/** A measurement that comes back after its campaign was stopped is cancelled, too. */
async function taken({ database }: CampaignServices, place: Place, measurementId: string): Promise<void> {
  const { campaign_id, run, step } = place;
  await database.timed("campaign_taken", () =>
    database.sql.begin(async (tx) => {
      await tx`
        UPDATE campaign_runs SET state = CASE WHEN state = 'cancelled' THEN 'cancelling' ELSE state END
        WHERE campaign_id = ${campaign_id} AND run = ${run}`;
      await tx`
        UPDATE campaign_steps SET state = 'taken', measurement_id = ${measurementId}, taken_at = now()
        WHERE campaign_id = ${campaign_id} AND run = ${run} AND step = ${step} AND state IN ('due', 'dropped')`;
    }),
  );
}

/** Each group of agents is a step of its own, at the same time after the plan in every run. */
async function spread({ database }: CampaignServices, step: Step, agents: readonly string[]): Promise<void> {
  const { campaign_id, run } = step;
  const slotMs = Math.max(1000, Math.ceil((step.spread_sec * 1000) / spreadGroupsMax));
  const slotOf = (agent: string) =>
    Math.floor(agentOffsetMs(campaign_id, agent, step.spread_sec * 1000) / slotMs);
  const steps = [...Map.groupBy(agents, slotOf)].map(([slot, group]) => ({
    step: slot + 1,
    wait_ms: slot * slotMs,
    agents: group.join(","),
  }));
  await database.timed("campaign_spread", () =>
    database.sql.begin(async (tx) => {
      const own = await tx`
        UPDATE campaign_steps SET state = 'spread'
        WHERE campaign_id = ${campaign_id} AND run = ${run} AND step = 0 AND state = 'due'`;
      if (own.count === 1) {
        await tx`
          INSERT INTO campaign_steps (campaign_id, run, step, due_at, latest_at, agents, state)
          SELECT first.campaign_id, first.run, later.step, first.due_at + later.wait_ms * interval '1 ms',
            first.latest_at + later.wait_ms * interval '1 ms', later.agents, 'due'
          FROM campaign_steps AS first, jsonb_to_recordset(${tx.json(steps)})
            AS later (step integer, wait_ms integer, agents text)
          WHERE first.campaign_id = ${campaign_id} AND first.run = ${run} AND first.step = 0`;
      }
    }),
  );
}

/** What may be different in a moment is tried again while there is time. */
async function failed(services: CampaignServices, step: Step, error: unknown): Promise<void> {
  const { campaign_id, run } = step;
  if (error instanceof Problem && error.status < 500) {
    await over(services, step, "refused", error.message);
    return;
  }
  services.log.warn("Cannot take a step of a campaign; trying again", {
    campaign_id,
    run,
    step: step.step,
    error,
  });
  const { sql } = services.database;
  await sql`
    UPDATE campaign_steps SET claimed_until = now() + ${retrySec} * interval '1 s'
    WHERE campaign_id = ${campaign_id} AND run = ${run} AND step = ${step.step}`;
}

async function over(
  { database: { sql, timed } }: CampaignServices,
  { campaign_id, run, step }: Place,
  state: "missed" | "refused",
  reason: string,
): Promise<void> {
  await timed(
    "campaign_over",
    () => sql`
      UPDATE campaign_steps SET state = ${state}, reason = ${reason.slice(0, reasonCharsMax)}
      WHERE campaign_id = ${campaign_id} AND run = ${run} AND step = ${step} AND state = 'due'`,
  );
}

interface Cancelling {
  readonly campaign_id: string;
  readonly run: number;
  readonly user_hash: string;
  readonly measurement_ids: readonly string[];
}

/** Cancels what stopped campaigns have under way. Done twice, it changes nothing. */
export async function cancelRuns({ database, measure }: CampaignServices): Promise<void> {
  const { sql, timed } = database;
  const rows = await timed(
    "campaign_cancelling",
    () => sql<Cancelling[]>`
      SELECT run.campaign_id, run.run, user_hash, ARRAY(
        SELECT measurement_id::text FROM campaign_steps AS step
        WHERE (step.campaign_id, step.run) = (run.campaign_id, run.run) AND measurement_id IS NOT NULL
      ) AS measurement_ids
      FROM campaign_runs AS run JOIN campaigns USING (campaign_id) WHERE run.state = 'cancelling'
      LIMIT ${stepsAtOnceMax}`,
  );
  for (const { campaign_id, run, user_hash, measurement_ids } of rows) {
    for (const id of measurement_ids) {
      await measure.cancel(user_hash, id);
    }
    await sql`
      UPDATE campaign_runs SET state = 'cancelled', ended_at = now()
      WHERE campaign_id = ${campaign_id} AND run = ${run} AND state = 'cancelling' AND ${measurement_ids.length} = (
        SELECT count(measurement_id) FROM campaign_steps
        WHERE campaign_id = ${campaign_id} AND run = ${run})`;
  }
}
