/**
 * The column store stops in the middle of a campaign, by SIGSTOP, and goes on before the campaign's end: what waits in
 * the broker meanwhile, whether the sender notices, and how fast the store catches up.
 */
import { join } from "node:path";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { freeze } from "../../faults/frozen.ts";
import type { Internet } from "../../lab/internet.ts";
import { LabError } from "../../lab/namespaces.ts";
import { Pipeline } from "../../lab/pipeline.ts";
import { pidOf } from "../pipeline/process-usage.ts";
import { AgentWatch, sendingRate } from "./agent-watch.ts";
import { campaignRate, publishCampaign } from "./campaign.ts";
import { LagWatch } from "./lag-watch.ts";

/** Shares of the campaign's probes at which the usual rate is measured, the store stops, and it goes on. */
const usualFrom = 0.05;
const stopAt = 0.2;
const goOnAt = 0.8;
/** An address of the agent's unicast instance. */
const srcIp = "10.101.0.9";

export interface StoreStopped {
  readonly stoppedSec: number;
  readonly usualPacketsPerSec: number;
  readonly meanwhilePacketsPerSec: number;
  /** Replies in the broker that are not stored, when the store goes on. */
  readonly waiting: number;
  readonly rowsPerSec: number;
  /** From then until the store is no further behind than it was before the stop. */
  readonly caughtUpSec: number;
  readonly lost: number;
  readonly doubled: number;
}

/** Rejects when the campaign, or the store, does not come to its end. */
export async function measureStoreStopped(net: Internet, count: number): Promise<StoreStopped> {
  await using pipeline = await Pipeline.start(net, { probingRate: campaignRate });
  const folder = join(pipeline.folder, "stack");
  await using broker = await openBroker(`embedded:${join(folder, "broker")}`);
  await using agent = new AgentWatch(net, "east");
  const lag = new LagWatch(broker);
  const measurementId = crypto.randomUUID();
  await publishCampaign(broker, { measurementId, count, srcIp });
  const usual = await agent.until("the first probes", ({ sent }) => sent >= count * usualFrom);
  const beforeStop = agent.until("probes before the stop", ({ sent }) => sent >= count * stopAt);
  const usualBehind = await lag.worstUntil(beforeStop);
  const { from, to, behind } = await stopStore(agent, lag, count * goOnAt);
  const caughtUp = await lag.until("the store to catch up", (sample) => sample.behind <= usualBehind);
  await agent.until("all replies in the broker", ({ published }) => published >= count);
  await lag.until("all rows in the store", (sample) => sample.behind === 0);
  const caughtUpSec = (caughtUp.atMs - behind.atMs) / 1000;
  return {
    stoppedSec: (to.atMs - from.atMs) / 1000,
    usualPacketsPerSec: sendingRate(usual, await beforeStop),
    meanwhilePacketsPerSec: sendingRate(from, to),
    waiting: behind.behind,
    rowsPerSec: (caughtUp.stored - behind.stored) / caughtUpSec,
    caughtUpSec,
    ...(await rowsOf(join(folder, "store"), measurementId, count)),
  };
}

/** Until so many probes have been sent without it; `behind` = the lag when it goes on. */
async function stopStore(agent: AgentWatch, lag: LagWatch, sentUntil: number) {
  const pid = pidOf(process.pid, "stack store");
  if (pid === null) {
    throw new LabError("Cannot find the process of the store");
  }
  const goOn = freeze(pid);
  // A stopped process would outlive us.
  process.once("exit", goOn);
  try {
    const from = await agent.now();
    const to = await agent.until("probes without the store", ({ sent }) => sent >= sentUntil);
    return { from, to, behind: await lag.now() };
  } finally {
    goOn();
    process.off("exit", goOn);
  }
}

async function rowsOf(folder: string, measurementId: string, count: number) {
  await using store = await openStore(`chdb:${folder}`);
  const answer = await store.client.query({
    query: `SELECT toUInt32(count()) AS rows, toUInt32(uniqExact(probe_src_port, probe_ttl)) AS distinct
      FROM measure.replies WHERE measurement_id = {id:String}`,
    query_params: { id: measurementId },
    format: "JSONEachRow",
  });
  const [{ rows, distinct } = { rows: 0, distinct: 0 }] = await answer.json<{
    rows: number;
    distinct: number;
  }>();
  return { lost: count - distinct, doubled: rows - distinct };
}
