/** The gateway's parts, opened in order and closed in reverse order: what `vantage peering-gateway` runs. */
import { makePrivateFolder } from "../../../lib/base/disk/private-folder.ts";
import { chooseVerifier } from "../../../lib/engines/auth/choose-verifier.ts";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { addBackupGauge, addDiskGauges } from "../../../lib/engines/observe/state-gauges.ts";
import { adminKeyOf } from "../../../lib/engines/service/gateway-config.ts";
import { migrate } from "../../../lib/engines/store/postgres/migrate.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import type { PeeringGatewayConfig } from "./config.ts";
import { EmailDirectory } from "./email/email-directory.ts";
import { openEmailProvider } from "./email/email-provider.ts";
import { addLeaseGauge, gatewayMetrics } from "./metrics.ts";
import { peeringSchema } from "./migrations.ts";
import { loadPools } from "./pools/load-pools.ts";
import { poolSource } from "./pools/pool-source.ts";
import { startKrill } from "./rpki/krill-publisher.ts";
import { openRpki, type Rpki } from "./rpki/rpki.ts";
import { ChangeFeed } from "./service/change-feed.ts";
import { ServiceKeys } from "./service/service-keys.ts";
import type { Services } from "./services.ts";
import { reencrypt } from "./subjects/reencrypt.ts";
import { SubjectCipher } from "./subjects/subject-cipher.ts";
import { startSweep } from "./sweep.ts";
import { InfoReader } from "./users/info.ts";

/** What the rooms need, together. */
export interface GatewayServices extends Services {
  /** In plain; compare hashes (lib/engines/auth/secret-key.ts). */
  readonly adminKey: string;
  readonly cipher: SubjectCipher;
  readonly infos: InfoReader;
  readonly emails: EmailDirectory;
  readonly feed: ChangeFeed;
  readonly rpki: Rpki;
  readonly serviceKeys: ServiceKeys;
}

export interface OpenServices extends GatewayServices, AsyncDisposable {}

/** Rejects with an Error that names the next step: an unreachable database, a bad pool, a missing key. */
export async function openServices(config: PeeringGatewayConfig, log: Logger): Promise<OpenServices> {
  await using undo = new AsyncDisposableStack();
  const metrics = gatewayMetrics();
  // A database in it makes itself private, and what is above it passable.
  if (config.database.address.startsWith(`pglite:${config.stateDir}/`)) {
    makePrivateFolder(config.stateDir);
  }
  const database = undo.use(
    await openDatabase(config.database.address, {
      applicationName: "vantage peering-gateway",
      connectionsMax: config.database.connectionsMax,
      onQuery: metrics.http.query,
    }),
  );
  const services = undo.use(await servicesOn({ config, database, log, metrics }));
  const owned = undo.move();
  return { ...services, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The same on an open database, which stays open when they are disposed. */
export async function servicesOn(
  parts: Pick<Services, "config" | "database" | "log" | "metrics">,
): Promise<OpenServices> {
  const { config, database, log, metrics } = parts;
  await using undo = new AsyncDisposableStack();
  const pool = await poolSource(config.leases.pool);
  await migrate(database, peeringSchema);
  const cipher = new SubjectCipher(config.subjectKeys);
  const reencrypted = await reencrypt(database, cipher);
  const loaded = await loadPools(database, config.asnRanges, pool);
  log.info("Prepared the database", { reencrypted, asn_pool: loaded.asns, prefix_pool: loaded.prefixes });
  const feed = undo.use(new ChangeFeed(database));
  addLeaseGauge(metrics.sight, feed);
  addDiskGauges(metrics.sight, config.stateDir);
  addBackupGauge(metrics.sight, config.stateDir);
  const provider = config.email === null ? null : openEmailProvider(config.email);
  const emails = undo.use(
    new EmailDirectory({ database, cipher, provider, onResult: metrics.emailAsked, log }),
  );
  undo.use(startSweep({ config, database, feed, log }));
  const rpki = openRpki(database, config.rpki);
  undo.use(startKrill({ config, database, log, metrics, rpki }));
  const owned = undo.move();
  return {
    ...parts,
    ...{ cipher, emails, feed, rpki },
    adminKey: adminKeyOf(config),
    tokens: chooseVerifier(config),
    infos: new InfoReader(database, {
      ...{ ...config.leases, isRpkiAlways: rpki.isAlwaysOn, platformAsn: config.rpki.originAsn },
    }),
    serviceKeys: new ServiceKeys(database, config.serviceKeys),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
