/** `vantage experiment run`: announces and probes in steps, in this process. */
import { cannot } from "../../../lib/command/command-error.ts";
import { type ExitCode, exitCodes } from "../../../lib/command/exit-codes.ts";
import { collectorAt } from "../../../lib/command/gateway/collector.ts";
import { addressOptions } from "../../../lib/command/gateway/common-options.ts";
import { gatewayCommand } from "../../../lib/command/gateway/gateway-command.ts";
import { GatewaySession } from "../../../lib/command/gateway/session.ts";
import { duration, file, folder, text } from "../../../lib/command/kinds.ts";
import { type Experiment, experimentSchema } from "../../../lib/experiment/definition.ts";
import { leaseRestSec, pathTtls } from "../../../lib/experiment/limits.ts";
import { planOf } from "../../../lib/experiment/plan.ts";
import { formatAddress, parseAddress } from "../../../lib/ip/address.ts";
import { readChecked } from "../campaign/campaign-file.ts";
import { experimentTargetsMax } from "../limits.ts";
import { ratesAgainst } from "./agent-rates.ts";
import { runExperiment } from "./controller.ts";
import { controlPlane, dataPlane } from "./gateway-planes.ts";
import { gatewayTerms, unknownBudgets } from "./gateway-terms.ts";
import { begunExperiment, isAskedToStop, openJournal } from "./journal.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { changesLeft, namedSites, planTotals } from "./plan-words.ts";
import { JournalPublisher } from "./publisher.ts";
import { routePlane } from "./route-plane.ts";
import { printSummary } from "./show.ts";
import { agentsWithin } from "./sources.ts";

export const run = gatewayCommand({
  service: "peering",
  about: `Each action is written down before and after it is done. When it is started again after an interruption, \
it continues and repeats nothing. Announcements end by themselves two intervals after the command has gone; it \
renews \
them while it runs. At the end, on Ctrl-C and on vantage experiment stop, the prefix is withdrawn everywhere.

It asks both gateways, with the same login or token. Probes leave from the user's addresses in the prefix; an agent may
be named with another, as west:[2001:db8:51::1].`,
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
    const experiment = withAddresses(
      await readChecked(path, experimentSchema, "experiment, prefix, probe, steps or sweep"),
      path,
    );
    const folderPath = given.journal ?? `${path}.journal`;
    using journal = openJournal(folderPath);
    const control = await session.open();
    const probing = await probingSession(session, given.gateway).open();
    const sites = given.sites?.split(",") ?? namedSites(experiment, path);
    const begun = begunExperiment(journal.book);
    // What has begun has spent of lease and budgets already.
    const { pace, budgets } =
      begun === null
        ? await gatewayTerms(control, experiment.prefix, Date.now())
        : { pace: begun.pace, budgets: new Map() };
    const asked = { agents: experiment.probe.agents, targets: experiment.probe.targets.length };
    const plan = planOf(experiment, {
      ...{ sites, targets: asked.targets, agents: asked.agents.length },
      ...{ probesPerPath: pathTtls, leaseSec: null, pace, budgets },
    });
    const problems = [
      ...plan.problems,
      ...(await ratesAgainst(probing, { actions: plan.actions, ...asked })),
    ];
    if (problems.length > 0) {
      session.noteMore(problems);
      return exitCodes.failure;
    }
    const definition = JSON.stringify([experiment, sites, pace]);
    if (begun !== null && journal.book.begun?.definition !== definition) {
      throw cannot(`${path} is not what ${folderPath} began with: give another --journal`);
    }
    if (journal.book.ended !== null) {
      session.note(`it has ended: ${journal.book.ended.reason}; to run it again, give another --journal`);
      return exitCodes.failure;
    }
    const agents = await agentsWithin(probing, experiment.prefix, experiment.probe.agents);
    session.note(begun === null ? planTotals(plan) : "going on");
    if (begun === null) {
      const unknown = unknownBudgets(sites, budgets);
      session.noteMore([...changesLeft(plan), ...(unknown === null ? [] : [unknown])]);
    }
    const startMs = journal.book.begun?.startMs ?? Date.now();
    const keeper = new LeaseKeeper({
      ...{ gateway: control, prefix: experiment.prefix, nowMs: Date.now },
      neededUntilMs: startMs + 1000 * (plan.endSec + leaseRestSec),
      say: (line) => session.note(line),
    });
    await keeper.keep();
    if (begun === null) {
      journal.write({ kind: "begun", name: experiment.experiment, startMs, definition });
    }
    const stopReason = () =>
      session.signal.aborted ? "interrupted" : isAskedToStop(folderPath) ? "stopped" : null;
    const collector = collectorAt(given.collector, "", { retryDelaysMs: [] });
    const publisher = given.private ? null : new JournalPublisher(probing, folderPath);
    const ending = new AbortController();
    const kept = keeper.keepOn(ending.signal);
    const published = publisher?.keepSending(ending.signal, (line) => session.note(line));
    const reason = await runExperiment({
      ...{ id: String(startMs), actions: plan.actions, startMs, intervalMs, stopReason },
      ...{ book: journal.book, write: journal.write, nowMs: Date.now },
      experiment: { ...experiment, probe: { ...experiment.probe, agents } },
      control: controlPlane(control, experiment.prefix),
      data: dataPlane(probing, given.settle),
      collector: collector.address === "" ? null : routePlane(collector, experiment.prefix),
      tell: (line) => session.note(line),
    }).finally(() => ending.abort());
    await Promise.all([kept, published]);
    if (session.common.format === "table") {
      printSummary(journal.book);
    }
    session.note(`ended: ${reason}`);
    if (publisher !== null && publisher.id !== null) {
      session.note(`its time line: ${probing.address}/console/experiments/${publisher.id}`);
    }
    return ended(reason);
  },
});

function ended(reason: string): ExitCode {
  return reason === "finished" ? exitCodes.ok : exitCodes.failure;
}

/** Addresses in one spelling, as answers name them. Throws CommandError for what is none. */
function withAddresses(experiment: Experiment, path: string): Experiment {
  const { targets } = experiment.probe;
  if (targets.length > experimentTargetsMax) {
    throw cannot(`${path}: probe.targets names more than ${experimentTargetsMax} targets`);
  }
  const addresses = targets.map((target, at) => {
    const address = parseAddress(target);
    if (address === null) {
      throw cannot(`${path}: probe.targets.${at}: "${target.slice(0, 50)}" is not an address`);
    }
    return formatAddress(address);
  });
  return { ...experiment, probe: { ...experiment.probe, targets: [...new Set(addresses)] } };
}

function probingSession(session: GatewaySession, address: string | null): GatewaySession {
  const common = { ...session.common, service: "probing", address } as const;
  return new GatewaySession(session.name, common, session.signal);
}
