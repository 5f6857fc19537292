/**
 * The one-machine platform: the broker's directory, and processes for the store, the ingester, both gateways and, where
 * it is asked for, an exchange server; their start, their health, their end.
 */
import { join } from "node:path";
import { lockDirectory } from "../../lib/base/disk/directory-lock.ts";
import { keyMadeOnce } from "../../lib/engines/auth/key-file.ts";
import type { Broker } from "../../lib/engines/broker/broker.ts";
import { ingestGroups } from "../../lib/engines/broker/ingest-feeds.ts";
import { openBroker } from "../../lib/engines/broker/open.ts";
import { type MigrationReport, migrate } from "../../lib/engines/store/clickhouse/migrate.ts";
import { openStore } from "../../lib/engines/store/clickhouse/open.ts";
import {
  probesTopic,
  repliesTopic,
  topicPartitions,
  topicRetentionMs,
} from "../../lib/net/wire/target-header.ts";
import { lagOf } from "../probing/ingester/lag.ts";
import type { Child } from "./child.ts";
import type { ExchangeFacts } from "./exchange/exchange-facts.ts";
import { serviceKeyPath } from "./gateway-folder.ts";
import { checkFree, withFreePorts } from "./listen.ts";
import {
  type PartProcesses,
  partNames,
  partProcesses,
  type StackAddresses,
  type StackConfig,
} from "./part-processes.ts";
import { StartUp } from "./start-up.ts";

/** Addresses of gateways and issuer, each with a slash at its end but the issuer's, which is a name. */
export interface GatewayUrls {
  readonly gateway: string;
  readonly peering: string;
  readonly issuer: string;
}

export interface Health {
  readonly status: "ok" | "degraded" | "unhealthy";
  readonly reasons: readonly string[];
}

/** What the start needs. */
interface Starting {
  readonly config: StackConfig;
  readonly addresses: StackAddresses;
  readonly startUp: StartUp;
}

interface StackParts extends Pick<StackConfig, "directory"> {
  readonly addresses: StackAddresses;
  readonly lock: Disposable;
  readonly broker: Broker;
  readonly processes: PartProcesses;
}

export class Stack implements AsyncDisposable {
  readonly addresses: StackAddresses;
  readonly directory: string;
  readonly children: readonly Child[];
  readonly #lock: Disposable;
  readonly #broker: Broker;
  readonly #processes: PartProcesses;
  #gatewayUrls: GatewayUrls | null = null;
  #exchange: ExchangeFacts | null = null;

  private constructor({ directory, addresses, lock, broker, processes }: StackParts) {
    this.addresses = addresses;
    this.directory = directory;
    this.#lock = lock;
    this.#broker = broker;
    this.#processes = processes;
    this.children = Object.values(processes).filter((child) => child !== null);
  }

  /** Rejects with the reason, and leaves nothing running, when a part cannot start or the directory is in use. */
  static async start(given: StackConfig): Promise<Stack> {
    const { directory, isTerminal } = given;
    const lock = lockDirectory(directory, "a stack");
    // Said at once, not after all parts have started.
    checkFree(given.observer, "--listen");
    const config = { ...given, gateways: given.gateways === null ? null : withFreePorts(given.gateways) };
    const addresses = {
      broker: `embedded:${join(directory, "broker")}`,
      store: `chdb:${join(directory, "store")}`,
    };
    if (config.hasExchange) {
      // Peering gateway and exchange read it, whichever is first.
      keyMadeOnce(serviceKeyPath(directory));
    }
    using startUp = new StartUp({ parts: partNames(config), isTerminal });
    startUp.step("broker", "opens its log");
    const broker = await openBroker(addresses.broker, { log: (line) => startUp.say(`broker: ${line}`) });
    const processes = partProcesses(config, addresses, startUp);
    const stack = new Stack({ directory, addresses, lock, broker, processes });
    try {
      for (const name of [probesTopic, repliesTopic]) {
        await broker.ensureTopic({ name, partitions: topicPartitions, retentionMs: topicRetentionMs });
      }
      startUp.ready("broker");
      await stack.#startAll({ config, addresses, startUp });
      return stack;
    } catch (error) {
      // All at once: none must be restarted while others end.
      await Promise.all(stack.children.map((child) => child.stop()));
      await stack[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Where gateways and issuer were at the start; null without. */
  get gatewayUrls(): GatewayUrls | null {
    return this.#gatewayUrls;
  }

  /** What a user of the exchange server has to know; null without. */
  get exchange(): ExchangeFacts | null {
    return this.#exchange;
  }

  /** All at the same time but what needs another one: a machine has several cores. */
  async #startAll({ config, startUp, addresses }: Starting): Promise<void> {
    const { gateway, peering, exchange } = this.#processes;
    const start = async (child: Child | null) => {
      const text = (await child?.start()) ?? "";
      startUp.ready(child?.name ?? "");
      return text;
    };
    const results = async () => {
      await this.#processes.store.start();
      startUp.step("store", "makes its tables");
      report(await migrateStore(addresses.store, config), config, startUp);
      startUp.ready("store");
      await start(this.#processes.ingester);
    };
    const leases = async () => {
      const url = await start(peering);
      return { peeringUrl: url, facts: await start(exchange) };
    };
    const [, urls, { peeringUrl, facts }] = await Promise.all([results(), start(gateway), leases()]);
    this.#gatewayUrls = gateway === null ? null : { ...JSON.parse(urls), peering: peeringUrl };
    this.#exchange = exchange === null ? null : JSON.parse(facts);
  }

  health(): Health {
    const down = this.children.filter(({ isUp }) => !isUp).map(({ name }) => `the ${name} is not running`);
    const troubles = this.children.filter(({ isUp, trouble }) => isUp && trouble !== null);
    const reasons = [...down, ...troubles.map(({ name, trouble }) => `${name}: ${trouble}`)];
    const status = this.#processes.store.isUp ? "degraded" : "unhealthy";
    return { status: reasons.length === 0 ? "ok" : status, reasons };
  }

  /** Records that wait in the broker to be stored, by feed. */
  async lag(): Promise<Record<string, number>> {
    return await lagOf(this.#broker, ["replies", "probes", "updates"]);
  }

  /** The store last: the ingester needs it to the end. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { store, ...others } = this.#processes;
    await Promise.all(Object.values(others).map((child) => child?.stop()));
    await store.stop();
    await this.#broker[Symbol.asyncDispose]();
    this.#lock[Symbol.dispose]();
  }
}

type Kept = Pick<StackConfig, "ttlDays" | "historyDays">;

async function migrateStore(address: string, { ttlDays, historyDays }: Kept): Promise<MigrationReport> {
  await using store = await openStore(address);
  return await migrate(store, {
    ttlDays,
    historyDays,
    kafkaBrokers: "",
    repliesTopic,
    repliesGroup: ingestGroups.replies,
  });
}

function report(
  { applied, ttlChanged, historyChanged }: MigrationReport,
  { ttlDays, historyDays }: Kept,
  startUp: StartUp,
): void {
  if (applied.length > 0) {
    startUp.say(`store: brought to version ${applied.at(-1)}`);
  }
  if (ttlChanged.length > 0) {
    startUp.say(`store: results are now kept for ${ttlDays} days`);
  }
  if (historyChanged.length > 0) {
    startUp.say(`store: the history is now kept for ${historyDays} days`);
  }
}
