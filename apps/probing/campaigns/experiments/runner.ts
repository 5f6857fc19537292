/** Runs experiments whose steps this gateway has claimed, until they end or another gateway continues. */

import { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { sharedClock } from "../../../../lib/engines/store/postgres/shared-clock.ts";
import { begunExperiment } from "../../../../lib/measuring/experiment/begun.ts";
import { leaseRestSec } from "../../../../lib/measuring/experiment/limits.ts";
import type { Step } from "../journal.ts";
import { AimPlanner } from "./run/aim-planner.ts";
import { runExperiment, type Wanted } from "./run/controller.ts";
import { controllerEvent } from "./run/controller-event.ts";
import type { ExperimentMeasure } from "./run/experiment-measure.ts";
import { grantGateway, grantPlane } from "./run/grant-plane.ts";
import { LeaseKeeper } from "./run/lease-keeper.ts";
import { measuredPlane } from "./run/measured-plane.ts";
import { OpenJournal, TakenOver } from "./run/open-journal.ts";
import { routePlane } from "./run/route-plane.ts";

/** Encrypts secrets that the database keeps, with a key that it does not have. */
export interface SecretBox {
  /** `about`: what it belongs to; opened for something else it is refused. */
  seal(secret: string, about: string): string;
  /** Throws an Error for another key, another owner, or a modified text. */
  open(sealed: string, about: string): string;
}

/** How an experiment runs, as it is stored. */
export interface RunSettings {
  readonly interval_ms: number;
  readonly settle_ms: number;
  /** Null = none. */
  readonly collector: string | null;
}

interface RunnerServices {
  readonly database: Database;
  readonly measure: ExperimentMeasure;
  readonly secrets: SecretBox;
  /** This gateway, on the time line. */
  readonly gatewayId: string;
  /** Null = none is configured. */
  readonly peeringGateway: string | null;
  /** Limit of a user's storage, over all kinds. */
  readonly storedBytesMax: number;
}

/** What starting one needs besides. */
export interface ExperimentServices extends RunnerServices {
  /** The user's daily quota of probes x agents. Throws Problem. */
  readonly quota: (userHash: string) => Promise<number>;
  readonly campaignsPerUser: number;
  /** Addresses that experiments may follow. */
  readonly collectors: readonly string[];
}

interface RunRow {
  readonly settings: RunSettings;
  readonly grant_jwe: string | null;
  readonly is_ended: boolean;
}

/** `left`: this gateway ends, another one continues; `taken over`: one does already. */
type Outcome = "ended" | "left" | "taken over";

export class ExperimentRunner {
  readonly #services: RunnerServices;

  constructor(services: RunnerServices) {
    this.#services = services;
  }

  /** Rejects where another attempt may succeed. */
  async take(step: Pick<Step, "campaign_id" | "user_hash">, signal: AbortSignal): Promise<Outcome> {
    const { campaign_id: id } = step;
    const { sql, timed } = this.#services.database;
    const [row] = await timed(
      "experiment_take",
      () => sql<RunRow[]>`
        SELECT settings, grant_jwe, ended_at IS NOT NULL AS is_ended FROM experiments WHERE campaign_id = ${id}`,
    );
    if (row === undefined || row.is_ended) {
      return "ended";
    }
    try {
      const reason = await this.#run(step, row, signal);
      if (reason === null) {
        return "left";
      }
      await this.#finish(step, reason);
      return "ended";
    } catch (error) {
      if (error instanceof TakenOver) {
        return "taken over";
      }
      if (error instanceof RangeError || (error instanceof Problem && error.status < 500)) {
        await this.#finish(step, error.message);
        return "ended";
      }
      throw error;
    }
  }

  async #run(
    { campaign_id: id, user_hash: userHash }: Pick<Step, "campaign_id" | "user_hash">,
    { settings, grant_jwe: sealed }: RunRow,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { database, measure, secrets, peeringGateway, gatewayId } = this.#services;
    const bytesMax = this.#services.storedBytesMax;
    const journal = await OpenJournal.open(database, { id, userHash, bytesMax });
    const begun = begunExperiment(journal.ledger);
    if (journal.ledger.ended !== null) {
      return journal.ledger.ended.reason;
    }
    if (begun === null || sealed === null || peeringGateway === null) {
      throw new RangeError("It cannot be run here: no peering gateway is configured, or its grant is gone");
    }
    const { experiment, lastSec, pace } = begun;
    const { prefix } = experiment;
    // Of all gateways that run it one after the other: the controller's.
    const nowMs = await sharedClock(database);
    const startMs = journal.ledger.begun?.startMs ?? nowMs();
    const { interval_ms: intervalMs, settle_ms: settleMs, collector } = settings;
    const control = grantPlane(grantGateway(peeringGateway, secrets.open(sealed, id)), prefix);
    const note = (event: string, subject: string, detail: string) => {
      const what = { subject, event, detail };
      journal.write({ kind: "event", event: controllerEvent("control", nowMs(), what) });
    };
    note("gateway", gatewayId, "runs the experiment from here on");
    await journal.flush();
    const routes = collector === null ? null : routePlane(collectorGateway(collector), prefix);
    const { aim } = experiment;
    const turns = new LoopYield(userHash);
    const planning = { experiment, pace, startMs, journal, collector: routes, turns, nowMs, note };
    return await runExperiment({
      ...{ id, experiment, startMs, journal, control, intervalMs, signal, nowMs },
      actions: () => begunExperiment(journal.ledger)?.actions ?? [],
      planner: aim === undefined ? null : new AimPlanner({ aim, ...planning }),
      data: measuredPlane(measure, { userHash, campaignId: id, settleMs, nowMs }),
      collector: routes,
      lease: new LeaseKeeper({
        ...{ plane: control, prefix, nowMs },
        renewed: (detail) => note("lease", prefix, detail),
        neededUntilMs: startMs + 1000 * (lastSec + leaseRestSec),
      }),
      wanted: () => this.#wanted(id),
    });
  }

  async #wanted(id: string): Promise<Wanted> {
    const { sql, timed } = this.#services.database;
    const [row] = await timed(
      "experiment_wanted",
      () => sql<{ phase: string }[]>`SELECT phase FROM campaigns WHERE campaign_id = ${id}`,
    );
    return row?.phase === "active" ? "run" : row?.phase === "paused" ? "pause" : "stop";
  }

  /** The grant is forgotten with it. */
  async #finish(
    { campaign_id: id, user_hash: userHash }: Pick<Step, "campaign_id" | "user_hash">,
    reason: string,
  ): Promise<void> {
    const { sql, timed } = this.#services.database;
    await timed("experiment_finish", () =>
      sql.begin(async (tx) => {
        const ended = await tx<{ grant_id: string; prefix: string }[]>`
          UPDATE experiments SET ended_at = now(), reason = ${reason}, grant_jwe = NULL
          WHERE campaign_id = ${id} AND ended_at IS NULL RETURNING grant_id, prefix::text`;
        for (const { grant_id, prefix } of ended) {
          await tx`
            INSERT INTO audit (actor, action, subject, details) VALUES (${`experiment:${id}`}, 'experiment.end',
              ${`user:${userHash}`}, ${tx.json({ prefix, grant: grant_id, reason })})`;
        }
      }),
    );
  }
}

function collectorGateway(address: string): Gateway {
  return new Gateway({ address, tokens: null, userAgent: "vantage-gateway", retryDelaysMs: [] });
}
