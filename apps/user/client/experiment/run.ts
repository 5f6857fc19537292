/** `vantage experiment run`: announces and probes in steps, in this process. */
import { cannot } from "../../../../lib/command/command/command-error.ts";
import { exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { collectorAt } from "../../../../lib/command/command/gateway/collector.ts";
import { addressOptions } from "../../../../lib/command/command/gateway/common-options.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { duration, file, folder, text } from "../../../../lib/command/command/kinds.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import type { Experiment } from "../../../../lib/measuring/experiment/definition.ts";
import { leaseRestSec } from "../../../../lib/measuring/experiment/limits.ts";
import type { Plan } from "../../../../lib/measuring/experiment/plan.ts";
import { runExperiment } from "./controller.ts";
import { controlPlane, dataPlane } from "./gateway-planes.ts";
import { isAskedToStop, type OpenJournal, openJournal } from "./journal.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { namedSites } from "./plan-words.ts";
import { prepareRun, readExperiment } from "./prepared-run.ts";
import { JournalPublisher } from "./publisher.ts";
import { routePlane } from "./route-plane.ts";
import { printSummary } from "./show.ts";
import { agentsWithin } from "./sources.ts";

export const run = gatewayCommand({
  service: "peering",
  about: `Each action is written down before and after it is done. When it is started again after an interruption, \
it continues and repeats nothing. Announcements end by themselves two intervals after the command has gone; it \
renews them while it runs. At the end, on Ctrl-C and on vantage experiment stop, the prefix is withdrawn everywhere.

It asks both gateways, with the same login or token. Probes leave from the user's addresses in the prefix; an agent \
may be named with another, as west:[2001:db8:51::1].`,
  options: {
    ...addressOptions.probing,
    sites: {
      kind: text,
      defaultText: "those that the file names",
      meaning: "exchange servers, a comma between them: what `all` means",
    },
    journal: { kind: folder, defaultText: "FILE.journal", meaning: "folder of its journal" },
    collector: {
      kind: text,
      placeholder: "URL",
      defaultText: "VANTAGE_COLLECTOR, else none",
      meaning: "a collector (vantage collector): how its routers see the prefix",
    },
    interval: {
      kind: duration(3_600_000),
      default: 30_000,
      defaultText: "30s",
      meaning: "how often announcements are renewed",
    },
    private: {
      flag: true,
      default: false,
      meaning: "keep the journal to this machine: the probing gateway does not get it",
    },
    settle: {
      kind: duration(300_000),
      default: 10_000,
      defaultText: "10s",
      meaning: "how long to wait for answers after the last probe",
    },
  },
  arguments: {
    file: { kind: file, required: true, meaning: "the experiment: see vantage experiment check" },
  },
  examples: ["vantage experiment run prepend.yaml", "vantage experiment run --sites west,east sweep.yaml"],
  exits: { ok: "it has finished", failure: "it may not run, or was ended; the reason is printed" },
  act: async (session, given) => {
    const { file: path, interval: intervalMs } = given;
    if (intervalMs < 5000) {
      throw cannot("--interval is too short: give 5s or more");
    }
    const experiment = await readExperiment(path);
    const folderPath = given.journal ?? `${path}.journal`;
    using journal = openJournal(folderPath);
    const { ledger } = journal;
    const control = await session.open();
    const probing = await probingSession(session, given.gateway).open();
    const sites = given.sites?.split(",") ?? namedSites(experiment, path);
    const prepared = await prepareRun({ ledger, control, probing, experiment, sites });
    if (prepared.problems.length > 0) {
      session.noteMore(prepared.problems);
      return exitCodes.failure;
    }
    if (ledger.begun !== null && ledger.begun.definition !== prepared.definition) {
      throw cannot(`${path} is not what ${folderPath} began with: give another --journal`);
    }
    if (ledger.ended !== null) {
      session.note(`it has ended: ${ledger.ended.reason}; to run it again, give another --journal`);
      return exitCodes.failure;
    }
    const agents = await agentsWithin(probing, experiment.prefix, experiment.probe.agents);
    session.note(prepared.summary);
    session.noteMore(prepared.notes);
    const { plan, definition } = prepared;
    const reason = await carryOut(session, {
      ...{ journal, folderPath, control, probing, plan, definition, intervalMs },
      experiment: { ...experiment, probe: { ...experiment.probe, agents } },
      settleMs: given.settle,
      collector: collectorAt(given.collector, "", { retryDelaysMs: [] }),
      isPrivate: given.private,
    });
    return reason === "finished" ? exitCodes.ok : exitCodes.failure;
  },
});

interface RunOrder {
  readonly journal: OpenJournal;
  readonly folderPath: string;
  readonly control: Gateway;
  readonly probing: Gateway;
  readonly plan: Plan;
  readonly definition: string;
  readonly intervalMs: number;
  readonly experiment: Experiment;
  readonly settleMs: number;
  /** Its address is empty without a collector. */
  readonly collector: Gateway;
  readonly isPrivate: boolean;
}

/** Renews the lease and sends the journal while the plan runs; resolves to the reason of its end. */
async function carryOut(session: GatewaySession, order: RunOrder): Promise<string> {
  const { journal, folderPath, control, probing, plan, experiment, collector } = order;
  const { ledger, write } = journal;
  const say = (line: string) => session.note(line);
  const startMs = ledger.begun?.startMs ?? Date.now();
  const keeper = new LeaseKeeper({
    ...{ gateway: control, prefix: experiment.prefix, nowMs: Date.now, say },
    neededUntilMs: startMs + 1000 * (plan.endSec + leaseRestSec),
  });
  await keeper.keep();
  if (ledger.begun === null) {
    write({ kind: "begun", name: experiment.experiment, startMs, definition: order.definition });
  }
  const publisher = order.isPrivate ? null : new JournalPublisher(probing, folderPath);
  const ending = new AbortController();
  const kept = keeper.keepOn(ending.signal);
  const published = publisher?.keepSending(ending.signal, say);
  const reason = await runExperiment({
    ...{ id: String(startMs), actions: plan.actions, startMs, intervalMs: order.intervalMs },
    ...{ ledger, write, nowMs: Date.now, experiment, tell: say },
    stopReason: () => (session.signal.aborted ? "interrupted" : isAskedToStop(folderPath) ? "stopped" : null),
    control: controlPlane(control, experiment.prefix),
    data: dataPlane(probing, order.settleMs),
    collector: collector.address === "" ? null : routePlane(collector, experiment.prefix),
  }).finally(() => ending.abort());
  await Promise.all([kept, published]);
  if (session.common.format === "table") {
    printSummary(ledger);
  }
  session.note(`ended: ${reason}`);
  if (publisher !== null && publisher.id !== null) {
    session.note(`its time line: ${probing.address}/console/experiments/${publisher.id}`);
  }
  return reason;
}

function probingSession(session: GatewaySession, address: string | null): GatewaySession {
  const common = { ...session.common, service: "probing", address } as const;
  return new GatewaySession(session.name, common, session.signal);
}
