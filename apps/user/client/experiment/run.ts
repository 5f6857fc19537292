/** `vantage experiment run`: gives the probing gateway an experiment, with a grant for its prefix, and follows it. */
import type * as v from "valibot";
import {
  type plannedExperimentAnswer,
  startedExperimentAnswer,
  timeLineAnswer,
} from "../../../../lib/base/api/experiments.ts";
import { grantDaysMax, madeGrantAnswer } from "../../../../lib/base/api/grants.ts";
import { atOnce } from "../../../../lib/base/list/steps.ts";
import type { Format } from "../../../../lib/base/terminal/rows-output.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { wholeText } from "../../../../lib/command/command/file-chunks.ts";
import { addressOptions } from "../../../../lib/command/command/gateway/common-options.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { duration, file, text } from "../../../../lib/command/command/kinds.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";
import { aimRows } from "../../../../lib/measuring/experiment/aim-rounds.ts";
import { metReason } from "../../../../lib/measuring/experiment/aim-words.ts";
import { type Experiment, experimentSchema } from "../../../../lib/measuring/experiment/definition.ts";
import type { ExperimentLedger } from "../../../../lib/measuring/experiment/journal.ts";
import { pathTtls } from "../../../../lib/measuring/experiment/limits.ts";
import { planOf } from "../../../../lib/measuring/experiment/plan.ts";
import { namedSites } from "../../../../lib/measuring/experiment/terms.ts";
import { readChecked } from "../campaign/campaign-file.ts";
import { experimentFollowMs } from "../limits.ts";
import { usualKinds } from "../peering/grants.ts";
import { jsonHeaders } from "../peering/lease-arguments.ts";
import { aimColumns } from "./aim-columns.ts";
import { oneExperiment, readLedger } from "./experiment-id.ts";
import { printed } from "./printed.ts";
import { printSummary } from "./show.ts";

/** A secret has 51 characters. */
const secretBytesMax = 1000;

/** How an experiment is started. */
export const startOptions = {
  ...addressOptions.probing,
  sites: {
    kind: text,
    defaultText: "those that the file names",
    meaning: "exchange servers, a comma between them: what `all` means",
  },
  grant: {
    kind: file,
    defaultText: "a new one",
    meaning: "a file with the secret of a grant (vantage peering grant create); - is standard input",
  },
  collector: {
    kind: text,
    placeholder: "URL",
    defaultText: "the gateway's first one",
    meaning: "which of the gateway's collectors shows how routers see the prefix, or none",
  },
  interval: {
    kind: duration(3_600_000),
    default: 30_000,
    defaultText: "30s",
    meaning: "how often announcements are renewed",
  },
  settle: {
    kind: duration(300_000),
    default: 10_000,
    defaultText: "10s",
    meaning: "how long to wait for answers after the last probe",
  },
} as const;

export const run = gatewayCommand({
  service: "peering",
  about: `The probing gateway runs the experiment: it announces with a grant that this command creates at the peering \
gateway (named prefix, number of changes, end), and withdraws at the end. This command follows it; closing the \
terminal, or Ctrl-C, changes nothing: vantage experiment stop ends it. If no gateway runs it any more, announcements \
end by themselves, two intervals after the last renewal.

Both gateways are asked with the same login or token. Probes leave from the user's addresses in the prefix; an agent \
may be named with another, as west:[2001:db8:51::1].`,
  options: {
    ...startOptions,
    detach: { flag: true, short: "d", default: false, meaning: "do not follow it" },
  },
  arguments: {
    file: { kind: file, required: true, meaning: "the experiment: see vantage experiment check" },
  },
  examples: ["vantage experiment run prepend.yaml", "vantage experiment run -d --sites west,east sweep.yaml"],
  exits: {
    ok: "it has finished, or was started",
    failure: "it may not run, or was ended; the reason is printed",
  },
  act: async (session, given) => {
    const experiment = await readChecked(
      given.file,
      experimentSchema,
      "experiment, prefix, probe, steps, sweep or aim",
    );
    return await startExperiment(session, experiment, given);
  },
});

interface StartGiven {
  readonly gateway: string | null;
  readonly sites: string | null;
  readonly grant: string | null;
  readonly collector: string | null;
  readonly interval: number;
  readonly settle: number;
  readonly detach: boolean;
}

/** Starts it at the probing gateway with a grant, and follows it unless detached. */
export async function startExperiment(
  session: GatewaySession,
  experiment: Experiment,
  given: StartGiven,
): Promise<ExitCode> {
  const sites = given.sites?.split(",");
  const control = await session.open();
  const probing = await probingSession(session, given.gateway).open();
  const grant =
    given.grant === null
      ? await newGrant(session, control, experiment, sites ?? namedSites(experiment))
      : { id: null, secret: await secretIn(given.grant) };
  const body = JSON.stringify({
    ...{ experiment, grant: grant.secret, interval_sec: Math.ceil(given.interval / 1000) },
    ...{ settle_sec: Math.ceil(given.settle / 1000), collector: given.collector ?? undefined, sites },
  });
  const ask = { method: "POST", headers: jsonHeaders, body, signal: session.signal } as const;
  const asked = probing.read("/api/experiments", startedExperimentAnswer, ask);
  const { experiment: started, plan } = await asked.catch(async (error) => {
    // Of no use without the experiment.
    if (grant.id !== null) {
      await control.request(`/api/grants/${grant.id}`, { method: "DELETE" });
    }
    throw error;
  });
  tellPlan(session, plan);
  session.note(`started ${started.id}: ${probing.address}/console/experiments/${started.id}`);
  return given.detach ? exitCodes.ok : await follow(session, probing, started.id);
}

async function secretIn(path: string): Promise<string> {
  return (await wholeText(path, secretBytesMax, () => cannot(`${path} is not a secret`))).trim();
}

function tellPlan(session: GatewaySession, plan: v.InferOutput<typeof plannedExperimentAnswer>): void {
  session.note(`${plan.changes} changes of BGP, ${plan.probes} probes, over after ${plan.lasts_sec} s`);
  session.noteMore(plan.notes);
}

/** For as many changes as the plan has, and so long that delays fit. */
async function newGrant(
  session: GatewaySession,
  control: Gateway,
  experiment: Experiment,
  sites: readonly string[],
): Promise<{ readonly id: string; readonly secret: string }> {
  const { targets, agents } = experiment.probe;
  const plan = planOf(experiment, {
    ...{ sites, targets: targets.length, agents: agents.length, probesPerPath: pathTtls },
    ...{ leaseSec: null, pace: { spacingSec: 0, perHourMax: Number.MAX_SAFE_INTEGER }, budgets: new Map() },
  });
  const lastsMs = Math.min(2000 * plan.endSec + 3_600_000, grantDaysMax * 86_400_000 - 60_000);
  const body = JSON.stringify({
    ...{ name: experiment.experiment, prefixes: [experiment.prefix], kinds: usualKinds },
    // A lapsed announcement is made again.
    changes_max: 2 * Math.max(1, plan.changes),
    expires_at: new Date(Date.now() + lastsMs).toISOString(),
  });
  const ask = { method: "POST", headers: jsonHeaders, body, signal: session.signal } as const;
  const made = await control.read("/api/grants", madeGrantAnswer, ask);
  session.note(
    `grant ${made.id} for ${experiment.prefix}: ${made.changes_max} changes, until ${made.expires_at}`,
  );
  return made;
}

/** Prints events until it has ended. */
async function follow(session: GatewaySession, probing: Gateway, id: string): Promise<ExitCode> {
  const { signal } = session;
  let seen = 0;
  for (;;) {
    // From the list: an experiment by itself costs the gateway a reading of its journal.
    const { state, reason } = await oneExperiment(probing, id, signal);
    const rows = await probing.read(`/api/experiments/${id}/timeline`, timeLineAnswer, {
      ...{ signal, query: { limit: 5000, ...(seen === 0 ? {} : { after: seen - 1 }) } },
    });
    for (const { event, subject, detail } of rows) {
      session.note(`${event} ${subject}: ${detail}`);
    }
    seen += rows.length;
    if (state === "ended") {
      printEnd(await readLedger(probing, id, signal), session.common.format);
      session.note(`ended: ${reason}`);
      const isGood = reason === "finished" || reason?.startsWith(metReason);
      return isGood ? exitCodes.ok : exitCodes.failure;
    }
    await pause(experimentFollowMs, signal);
    if (signal.aborted) {
      session.note(`it continues at the gateway; vantage experiment stop ${id.slice(0, 8)} ends it`);
      return exitCodes.interrupted;
    }
  }
}

function printEnd(ledger: ExperimentLedger, format: Format): void {
  const rows = atOnce(aimRows(ledger));
  if (rows.length > 0) {
    printed(aimColumns, rows, format);
  } else if (format === "table") {
    printSummary(ledger);
  }
}

export function probingSession(session: GatewaySession, address: string | null): GatewaySession {
  const common = { ...session.common, service: "probing", address } as const;
  return new GatewaySession(session.name, common, session.signal);
}
