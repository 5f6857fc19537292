/**
 * Plays the faults in the namespace that main.ts has made, and writes the report as JSON.
 *
 * The order, as JSON in the only argument: an InsideOrder. Progress goes to standard error.
 */
import { writeFileSync } from "node:fs";
import { account } from "./account.ts";
import { allIsWell } from "./canary.ts";
import { faultsOf } from "./faults.ts";
import type { InsideOrder } from "./main.ts";
import { type Played, playAll } from "./play.ts";
import type { Report } from "./report.ts";
import { Scene } from "./scene.ts";
import { settle } from "./settle.ts";
import { toldOf } from "./told.ts";
import { WireLog } from "./wire-log.ts";

const tell = (line: string) => process.stderr.write(`${line}\n`);

async function run({ options, folder, namespaces, rateProbesPerSec }: InsideOrder): Promise<Report> {
  const startedAtMs = performance.now();
  await using wire = await WireLog.start(folder, namespaces);
  await using scene = await Scene.start(folder, options, rateProbesPerSec);
  tell(`everything runs after ${seconds(performance.now() - startedAtMs).toFixed(1)} s`);
  const faults = faultsOf(scene, options);
  await scene.startLoad(options);
  await allIsWell(scene, scene.campaign);
  const played = await playAll(scene, faults, tell);
  const openMeasurements = await settle(scene, options);
  tell(`everything is sent and stored after ${seconds(performance.now() - startedAtMs).toFixed(1)} s`);
  const counted = await account(scene, played, wire);
  return {
    probes: options.probes,
    rateProbesPerSec: options.rateProbesPerSec,
    outageSec: seconds(options.outageMs),
    restartSec: seconds(options.restartMs),
    faults: played.map((one, i) => ({
      ...figuresOf(one),
      ...(counted.byFault[i] ?? counted.outside),
      trace: counted.traces[i] ?? null,
    })),
    outside: counted.outside,
    strangers: counted.strangers,
    wrongProbeRows: counted.wrongProbeRows,
    openMeasurements,
    accepted: acceptedOf(scene),
    told: await toldOf(scene),
    leases: await scene.leaseLoad.figures(),
    isPolicyRight: await scene.peering.isPolicyRight(),
    crashes: Object.fromEntries(scene.processes.map(({ name, crashes }) => [name, crashes])),
    answers: Object.fromEntries(scene.campaign.answers),
    totalSec: seconds(performance.now() - startedAtMs),
  };
}

/** Probes x agents. */
function acceptedOf({ campaigns }: Scene): number {
  const submitted = campaigns.flatMap((campaign) => campaign.submitted);
  return submitted.reduce((sum, { from, to, agents }) => sum + (to - from) * agents.length, 0);
}

function figuresOf({ fault, awayMs, backAfterMs, refusedLeases }: Played) {
  const { name, what, killsAgent } = fault;
  return {
    ...{ name, what, killsAgent, refusedLeases },
    awaySec: seconds(awayMs),
    backAfterSec: seconds(backAfterMs),
  };
}

function seconds(ms: number): number {
  return ms / 1000;
}

const order = JSON.parse(process.argv[2] ?? "") as InsideOrder;
const report = await run(order);
writeFileSync(order.reportFile, JSON.stringify(report));
