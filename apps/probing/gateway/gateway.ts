/**
 * The gateway's parts, opened in order and closed in reverse order: what `vantage probing-gateway` and the stack run.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockDirectory } from "../../../lib/base/disk/directory-lock.ts";
import { makePrivateFolder } from "../../../lib/base/disk/private-folder.ts";
import { chooseVerifier } from "../../../lib/engines/auth/choose-verifier.ts";
import { keyMadeOnce } from "../../../lib/engines/auth/key-file.ts";
import type { Broker } from "../../../lib/engines/broker/broker.ts";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { Sight } from "../../../lib/engines/observe/sight.ts";
import { addBackupGauge, addDiskGauges } from "../../../lib/engines/observe/state-gauges.ts";
import { adminKeyOf } from "../../../lib/engines/service/gateway-config.ts";
import { migrate } from "../../../lib/engines/store/postgres/migrate.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import type { DeliveryConfig, Measure, RunResults } from "../campaigns/campaign-services.ts";
import { databaseJournal } from "../campaigns/database-journal.ts";
import { ExperimentRunner, type ExperimentServices } from "../campaigns/experiments/runner.ts";
import { addAlertGauges, alertLevels } from "../campaigns/notice/alert-gauges.ts";
import { startNotices } from "../campaigns/notices.ts";
import { type CampaignService, startCampaigns } from "../campaigns/service.ts";
import type { AdminServices } from "./admin/admin-services.ts";
import { addAgentGauges } from "./agents/agent-gauges.ts";
import { AgentList } from "./agents/agent-list.ts";
import { Reachability } from "./agents/reachability.ts";
import { campaignMeasure } from "./campaign-measure.ts";
import { campaignResults } from "./campaign-results.ts";
import type { ProbingGatewayConfig } from "./config.ts";
import { experimentMeasure } from "./experiment-measure.ts";
import { brokerGiveUpMs } from "./limits.ts";
import { AsTargets } from "./measurements/as-targets.ts";
import type { ListServices } from "./measurements/list.ts";
import { gatewayMetrics } from "./metrics.ts";
import { probingSchema } from "./migrations.ts";
import type { ReadServices } from "./reads/selection.ts";
import { DestinationCrowd } from "./safety/destination-crowd.ts";
import { DestinationShares } from "./safety/destination-share.ts";
import { GatewaySafety } from "./safety/gateway-safety.ts";
import type { Safety } from "./safety/safety.ts";
import { secretBox } from "./secret-box.ts";
import { StoreLink } from "./store-link.ts";
import { Acceptances } from "./submit/acceptance.ts";
import { Dispatcher } from "./submit/dispatcher.ts";
import { MeasurementLedger } from "./submit/measurement-ledger.ts";
import { PendingAccepts } from "./submit/pending-accepts.ts";
import { Refusals } from "./submit/refusals.ts";
import { removeOrphans, unpublished } from "./submit/resume.ts";
import { SpoolFolder } from "./submit/spool-folder.ts";
import type { SubmitServices } from "./submit/submit-services.ts";
import { startSweep } from "./sweep.ts";
import { ApiTokens } from "./tokens/api-tokens.ts";
import { Quotas } from "./users/quota.ts";
import { UserDirectory } from "./users/user-directory.ts";

/** The services of all rooms. */
export interface GatewayServices extends AdminServices, ListServices, ReadServices, SubmitServices {
  readonly safety: Safety;
  readonly broker: Broker;
  readonly measure: Measure;
  readonly results: RunResults;
  readonly delivery: DeliveryConfig;
  readonly campaigns: Pick<CampaignService, "wake">;
  readonly experiments: ExperimentServices;
  readonly apiTokens: ApiTokens;
}

export interface OpenServices extends GatewayServices, AsyncDisposable {
  readonly campaigns: CampaignService;
}

/** Rejects with an Error that names the next step: an unreachable database, a folder in use, a bad list. */
export async function openServices(config: ProbingGatewayConfig, log: Logger): Promise<OpenServices> {
  await using undo = new AsyncDisposableStack();
  const state = undo.use(openStateFolder(config));
  const { metrics, broker, store, ...parts } = await openParts({ undo, config, state, log });
  const { database } = parts;
  const agents = new AgentList(database);
  addGauges(metrics.sight, agents, config.stateDir);
  await resume(parts);
  const reachability = new Reachability();
  undo.use(startSweep({ ...parts, reachability }));
  const { limits } = config;
  const apiTokens = undo.use(
    new ApiTokens({ database, log, operators: config.oidc?.operators.subjects ?? [] }),
  );
  const services = {
    ...parts,
    config,
    apiTokens,
    adminKey: state.adminKey,
    broker,
    store,
    tokens: apiTokens.beside(chooseVerifier(config)),
    agents,
    reachability,
    crowd: new DestinationCrowd(database),
    shares: new DestinationShares(database, limits),
    acceptances: new Acceptances(database),
    quotas: new Quotas(database, limits),
    asTargets: new AsTargets(config),
    safety: await GatewaySafety.open({
      ...{ database, config: config.safety, limits, log },
      onBadList: metrics.badList,
    }),
    metrics,
  };
  const measure = campaignMeasure(services);
  const results = campaignResults({ store, config });
  addAlertGauges(metrics.sight, alertLevels(database));
  const journal = databaseJournal(database, {
    settleMs: results.settleMs,
    storedBytesMax: limits.storedBytesPerUser,
  });
  const experiments = beginServices({ ...services, measure, secretKey: state.secretKey });
  const runner = new ExperimentRunner(experiments);
  const campaigns = undo.use(startCampaigns({ journal, log, measure, experiments: runner }));
  undo.use(startNotices({ database, log, results, measure, config, delivery: config.alerts }));
  const owned = undo.move();
  return {
    ...services,
    ...{ measure, results, campaigns, experiments },
    delivery: config.alerts,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type ExperimentParts = Parameters<typeof experimentMeasure>[0] &
  Pick<GatewayServices, "config" | "measure" | "gatewayId"> & { readonly secretKey: string };

function beginServices({ measure, secretKey, ...services }: ExperimentParts): ExperimentServices {
  const { config, database } = services;
  return {
    database,
    measure: experimentMeasure(services),
    gatewayId: services.gatewayId,
    secrets: secretBox(secretKey),
    peeringGateway: config.peeringGateway,
    storedBytesMax: config.limits.storedBytesPerUser,
    quota: (userHash) => measure.quota(userHash),
    campaignsPerUser: config.limits.campaignsPerUser,
    collectors: config.console.collectors,
  };
}

function addGauges(sight: Sight, agents: AgentList, stateDir: string): void {
  addAgentGauges(sight, agents);
  addDiskGauges(sight, stateDir);
  addBackupGauge(sight, stateDir);
}

interface Opening {
  readonly undo: AsyncDisposableStack;
  readonly config: ProbingGatewayConfig;
  readonly state: StateFolder;
  readonly log: Logger;
}

/** Database, broker and store, and what publishes accepted probes. `undo` closes them. */
async function openParts({ undo, config, state, log }: Opening) {
  const { gatewayId } = state;
  const spoolFolder = undo.use(new SpoolFolder(state.spoolPath, config.limits.spoolBytesMax));
  const metrics = gatewayMetrics({ waiting: () => dispatcher.waiting, spoolBytes: () => spoolFolder.bytes });
  const database = undo.use(
    await openDatabase(config.database.address, {
      applicationName: `vantage probing-gateway ${gatewayId}`,
      connectionsMax: config.database.connectionsMax,
      onQuery: metrics.http.query,
    }),
  );
  await migrate(database, probingSchema);
  const { address, login, topic } = config.broker;
  const broker = undo.use(await openBroker(address, { login, giveUpMs: brokerGiveUpMs }));
  const store = undo.use(new StoreLink(config.storeAddress));
  const ledger = undo.use(new MeasurementLedger(database, spoolFolder, log));
  const dispatcher = undo.use(
    new Dispatcher({
      ...{ broker, topic, ledger, log },
      onPublished: metrics.published,
      onBrokerFailure: metrics.brokerFailed,
    }),
  );
  const pendingAccepts = new PendingAccepts();
  const users = new UserDirectory(database);
  const { refusalsLost: onLost } = metrics;
  const refusals = undo.use(new Refusals({ database, gatewayId, users, log, onLost }));
  return {
    users,
    refusals,
    metrics,
    broker,
    store,
    database,
    gatewayId,
    dispatcher,
    ledger,
    spoolFolder,
    pendingAccepts,
    log,
  };
}

type Resumed = Pick<GatewayServices, "database" | "gatewayId" | "dispatcher" | "spoolFolder" | "log">;

async function resume({ database, gatewayId, dispatcher, spoolFolder, log }: Resumed): Promise<void> {
  const accepted = await unpublished(database.sql, gatewayId, spoolFolder);
  const orphans = await removeOrphans(spoolFolder, accepted);
  if (accepted.length > 0 || orphans > 0) {
    log.info("Resuming measurements accepted before", { measurements: accepted.length, orphans });
  }
  for (const outgoing of accepted) {
    dispatcher.add(outgoing);
  }
}

/** The gateway's folder on disk, for one process: it holds keys and ids that are generated once. */
interface StateFolder extends Disposable {
  readonly gatewayId: string;
  readonly adminKey: string;
  readonly secretKey: string;
  /** Spool folder of probes that wait for the broker. */
  readonly spoolPath: string;
}

/** Throws an Error, with the next step, when the folder cannot be used, or another process uses it. */
function openStateFolder(config: ProbingGatewayConfig): StateFolder {
  const { stateDir } = config;
  makePrivateFolder(stateDir);
  const lock = lockDirectory(stateDir, "a probing gateway");
  try {
    return {
      gatewayId: config.gatewayId ?? idMadeOnce(join(stateDir, "gateway.id")),
      adminKey: adminKeyOf(config),
      secretKey: config.secretKey ?? keyMadeOnce(join(stateDir, "secret.key")),
      spoolPath: join(stateDir, "spool"),
      [Symbol.dispose]: () => lock[Symbol.dispose](),
    };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function idMadeOnce(path: string): string {
  if (!existsSync(path)) {
    writeFileSync(path, `gateway-${crypto.randomUUID()}\n`, { mode: 0o600, flag: "wx" });
  }
  return readFileSync(path, "utf8").trim();
}
