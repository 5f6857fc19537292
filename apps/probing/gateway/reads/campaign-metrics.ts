/** The newest figures of a user's active campaigns for Prometheus: `/metrics/campaigns`, with a token. */
import { Hono } from "hono";
import { Gauge, Registry } from "prom-client";
import * as v from "valibot";
import { type LastTarget, lastTargets } from "../../../../lib/answers/results/last-targets.ts";
import { visible } from "../../../../lib/base/terminal/foreign-text.ts";
import type { Identity } from "../../../../lib/engines/auth/token-verifier.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { Owned } from "../../../../lib/engines/http/owned.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import type { CampaignRun } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import { FairQueue } from "./fair-queue.ts";
import {
  figuresWaitingMax,
  figureWaitMs,
  scrapedCampaignsMax,
  scrapedHours,
  scrapedRunsMax,
  scrapedTargetsMax,
} from "./limits.ts";
import { campaignRuns } from "./measurement-window.ts";
import type { ReadServices } from "./selection.ts";

const description = describe({
  tags: ["campaigns"],
  auth: "user",
  summary: "The newest figures of your active campaigns, for Prometheus",
  description:
    `Of each agent and destination: loss, round-trip times, a number for its paths, and their changes in the last ` +
    `${scrapedHours} h. At most ${scrapedCampaignsMax} campaigns and ${scrapedTargetsMax} targets; ` +
    "`vantage_campaign_left_out` counts the rest.",
  ok: [
    {
      status: 200,
      type: "text/plain",
      description: "Metrics in Prometheus' text format",
      schema: v.string(),
    },
  ],
  problems: [429, 503],
});

interface ActiveCampaign {
  readonly id: string;
  readonly name: string;
}

export function campaignMetricRoutes(services: ReadServices): Hono<HttpEnv> {
  const { tokens, metrics } = services;
  const queue = new FairQueue({ atOnce: 1, waitingMax: figuresWaitingMax, waitMs: figureWaitMs });
  const app = new Hono<HttpEnv>();
  app.get("/metrics/campaigns", description, requireUser(tokens, metrics.http), async (c) => {
    const identity = userOf(c);
    const registry = await queue.run(identity.userHash, () => scraped(services, identity));
    return c.body(await registry.metrics(), 200, { "content-type": registry.contentType });
  });
  return app;
}

async function scraped(services: ReadServices, identity: Identity): Promise<Registry> {
  const { sql, timed } = services.database;
  const active = await timed(
    "campaign_metrics",
    () => sql<ActiveCampaign[]>`
      SELECT campaign_id::text AS id, name FROM campaigns
      WHERE user_hash = ${identity.userHash} AND phase = 'active' ORDER BY name, campaign_id`,
  );
  const gauges = new CampaignGauges();
  let left = scrapedTargetsMax;
  for (const campaign of active.slice(0, scrapedCampaignsMax)) {
    const own = await Owned.by(identity, { kind: "campaign", id: campaign.id });
    const runs = await newestRuns(services, own);
    const rows =
      runs.length === 0
        ? []
        : await services.store.ask((store) => lastTargets(store, runs, Math.max(1, left)));
    const shown = rows.slice(0, left);
    gauges.add(campaign, runs, shown);
    gauges.leaveOut("targets", (rows[0]?.targets ?? 0) - shown.length);
    left -= shown.length;
  }
  gauges.leaveOut("campaigns", Math.max(0, active.length - scrapedCampaignsMax));
  return gauges.registry;
}

/** Those of the last day, or the newest one. */
async function newestRuns({ database }: ReadServices, own: Owned): Promise<readonly CampaignRun[]> {
  const since = new Date(Date.now() - scrapedHours * 3_600_000);
  const recent = await campaignRuns(database, own, { since, until: null, max: scrapedRunsMax });
  return recent.length > 0 ? recent : await campaignRuns(database, own, { since: null, until: null, max: 1 });
}

const target = ["campaign", "name", "agent", "destination"] as const;

/** In a registry of its own: a user sees nothing of others. */
export class CampaignGauges {
  readonly registry = new Registry();
  readonly #planned = this.#gauge("run_timestamp_seconds", "Planned time of the newest run", [
    "campaign",
    "name",
  ]);
  readonly #probes = this.#gauge("probes", "Probes of the newest measurement of the target", target);
  readonly #loss = this.#gauge("loss_ratio", "Share of them without an answer, 0 to 1", target);
  readonly #rtts = (
    [
      ["p10", "10th percentile"],
      ["median", "Median"],
      ["p90", "90th percentile"],
    ] as const
  ).map(([level, word]) =>
    this.#gauge(`rtt_${level}_seconds`, `${word} of the destination's round-trip times`, target),
  );
  readonly #path = this.#gauge("path_id", "A number that differs when paths differ; 0 = no reply", target);
  readonly #changes = this.#gauge("path_changes", `Changes of paths in the last ${scrapedHours} h`, target);
  readonly #leftOut = this.#gauge("left_out", "Active campaigns, and targets, that are not exported", ["of"]);

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name: `vantage_campaign_${name}`, help, labelNames, registers: [this.registry] });
  }

  add(
    { id: campaign, name: given }: ActiveCampaign,
    runs: readonly CampaignRun[],
    rows: readonly LastTarget[],
  ): void {
    const name = visible(given);
    const newest = runs.at(-1);
    if (newest !== undefined) {
      this.#planned.set({ campaign, name }, newest.plannedMs / 1000);
    }
    for (const row of rows) {
      const labels = { campaign, name, agent: visible(row.agent), destination: row.destination };
      this.#probes.set(labels, row.submitted);
      this.#loss.set(labels, (row.submitted - row.answered) / row.submitted);
      this.#path.set(labels, row.pathId);
      this.#changes.set(labels, row.pathChanges);
      if (row.rttReplies > 0) {
        for (const [i, us] of [row.p10Us, row.medianUs, row.p90Us].entries()) {
          this.#rtts[i]?.set(labels, us / 1e6);
        }
      }
    }
  }

  leaveOut(of: "campaigns" | "targets", count: number): void {
    this.#leftOut.inc({ of }, count);
  }
}
