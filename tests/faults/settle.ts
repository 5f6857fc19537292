/** Until a run is over: every probe submitted, every measurement complete, every row there that will ever be. */
import type { Campaign } from "./campaign.ts";
import type { Engines } from "./engines.ts";
import type { FaultOptions } from "./options.ts";
import { until } from "./patience.ts";
import type { Scene } from "./scene.ts";

/** What remains is sent at this pace: no fault is played any more. */
const lastRateProbesPerSec = 8000;
/** All that remains takes two minutes at most; a measurement that has lost a probe never comes to its end. */
const restMsMax = 240_000;
/** Rows that have not come for so long, while everything is well, do not come any more. */
const quietMs = 8000;
/** A look counts all rows. */
const lookEveryMs = 300;

/** Resolves to the number of measurements that have not come to their end. */
export async function settle(scene: Scene, { rateProbesPerSec }: FaultOptions): Promise<number> {
  const untilMs = performance.now() + restMsMax;
  let open = 0;
  for (const campaign of scene.campaigns) {
    await campaign.measuring.setRate(Math.max(lastRateProbesPerSec, rateProbesPerSec ?? 0));
    await campaign.finish(rateProbesPerSec === null || campaign !== scene.campaign);
    for (const { id } of campaign.submitted) {
      open += (await isComplete(campaign, id, untilMs - performance.now())) ? 0 : 1;
    }
  }
  await scene.leaseLoad.stop();
  await allStored(scene);
  return open;
}

function isComplete({ measuring }: Campaign, id: string, waitMs: number): Promise<boolean> {
  const path = `/api/measurement/${id}/status`;
  const look = async () =>
    (await measuring.ask<{ measurement_complete: boolean }>("GET", path)).body.measurement_complete;
  return until(`the end of ${id}`, look, Math.max(lookEveryMs, waitMs)).catch(() => false);
}

async function allStored({ campaigns, engines }: Scene): Promise<void> {
  const wanted = campaigns.flatMap(({ submitted }) => submitted);
  const expected = wanted.reduce((sum, { from, to, agents }) => sum + (to - from) * agents.length, 0);
  let [rows, sinceMs] = [-1, Date.now()];
  while (Date.now() - sinceMs < quietMs) {
    const found = await figure(engines, "count()");
    sinceMs = found === rows ? sinceMs : Date.now();
    rows = found;
    // Among as many rows some may be there twice.
    if (rows >= expected && (await figure(engines, probesWithRow)) >= expected) {
      return;
    }
    await Bun.sleep(lookEveryMs);
  }
}

const probesWithRow = "uniqExact(agent_id, probe_src_port, probe_dst_port)";

async function figure(engines: Engines, of: string): Promise<number> {
  const [row] = await engines.rows<{ figure: string }>(`SELECT ${of} AS figure FROM measure.replies`);
  return Number(row?.figure ?? 0);
}
