/** The one-machine platform: the broker's directory, the store's process, the ingester, and their health. */
import { join } from "node:path";
import type { Broker } from "../../lib/broker/broker.ts";
import { openBroker } from "../../lib/broker/open.ts";
import { type MigrationReport, migrate } from "../../lib/store/clickhouse/migrate.ts";
import { openStore } from "../../lib/store/clickhouse/open.ts";
import { lockDirectory } from "../../lib/store/directory-lock.ts";
import {
  probesTopic,
  repliesTopic,
  topicPartitions,
  topicRetentionMs,
} from "../../lib/wire/target-header.ts";
import { Child } from "./child.ts";
import { groups } from "./ingest/groups.ts";
import { lagOf } from "./ingest/lag.ts";
import { type GatewayListen, listenText } from "./listen.ts";

interface StackConfig {
  /** Everything lies below it. */
  readonly directory: string;
  readonly ttlDays: number;
  /** Null = without a gateway. */
  readonly gateway: GatewayListen | null;
  readonly say: (line: string) => void;
}

interface StackAddresses {
  readonly broker: string;
  readonly store: string;
}

/** The ready message of the gateway's process. */
export interface GatewayUrls {
  readonly gateway: string;
  readonly issuer: string;
}

export interface Health {
  readonly status: "ok" | "degraded" | "unhealthy";
  readonly reasons: readonly string[];
}

export class Stack implements AsyncDisposable {
  readonly addresses: StackAddresses;
  readonly directory: string;
  readonly children: readonly Child[];
  readonly #lock: Disposable;
  readonly #broker: Broker;
  readonly #store: Child;
  readonly #ingester: Child;
  readonly #gateway: Child | null;
  #gatewayUrls: GatewayUrls | null = null;

  private constructor(config: StackConfig, addresses: StackAddresses, lock: Disposable, broker: Broker) {
    const { directory, say } = config;
    this.addresses = addresses;
    this.directory = directory;
    this.#lock = lock;
    this.#broker = broker;
    const storeDirectory = addresses.store.slice("chdb:".length);
    this.#store = new Child({ name: "store", args: ["store", "--dir", storeDirectory, "--child"], say });
    const ingest = ["ingest", "--broker", addresses.broker, "--store", addresses.store];
    const journals = ["--dir", join(directory, "ingest"), "--child"];
    this.#ingester = new Child({ name: "ingester", args: [...ingest, ...journals], say });
    this.#gateway = config.gateway === null ? null : gatewayChild(config, config.gateway, addresses);
    this.children = [this.#store, this.#ingester, ...(this.#gateway === null ? [] : [this.#gateway])];
  }

  /** Rejects with the reason, and leaves nothing running, when a part cannot start or the directory is in use. */
  static async start(config: StackConfig): Promise<Stack> {
    const { directory, say } = config;
    const lock = lockDirectory(directory, "a stack");
    const addresses = {
      broker: `embedded:${join(directory, "broker")}`,
      store: `chdb:${join(directory, "store")}`,
    };
    const broker = await openBroker(addresses.broker, { log: (line) => say(`broker: ${line}`) });
    const stack = new Stack(config, addresses, lock, broker);
    try {
      for (const name of [probesTopic, repliesTopic]) {
        await broker.ensureTopic({ name, partitions: topicPartitions, retentionMs: topicRetentionMs });
      }
      await Promise.all([stack.#startResults(config), stack.#startGateway()]);
      return stack;
    } catch (error) {
      // All at once: none must be restarted while others end.
      await Promise.all(stack.children.map((child) => child.stop()));
      await stack[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Where the gateway and its issuer were at the start; null without a gateway. */
  get gatewayUrls(): GatewayUrls | null {
    return this.#gatewayUrls;
  }

  async #startResults(config: StackConfig): Promise<void> {
    await this.#store.start();
    report(await this.#migrate(config.ttlDays), config);
    await this.#ingester.start();
  }

  /** It needs no store to start. */
  async #startGateway(): Promise<void> {
    if (this.#gateway !== null) {
      this.#gatewayUrls = JSON.parse(await this.#gateway.start()) as GatewayUrls;
    }
  }

  async #migrate(ttlDays: number): Promise<MigrationReport> {
    await using store = await openStore(this.addresses.store);
    return await migrate(store, { ttlDays, kafkaBrokers: "", repliesTopic, repliesGroup: groups.replies });
  }

  health(): Health {
    const down = this.children.filter(({ isUp }) => !isUp).map(({ name }) => `the ${name} is not running`);
    const troubles = this.children.filter(({ isUp, trouble }) => isUp && trouble !== null);
    const reasons = [...down, ...troubles.map(({ name, trouble }) => `${name}: ${trouble}`)];
    const status = this.#store.isUp ? "degraded" : "unhealthy";
    return { status: reasons.length === 0 ? "ok" : status, reasons };
  }

  /** Records that wait in the broker to be stored, by feed. */
  async lag(): Promise<Record<string, number>> {
    return await lagOf(this.#broker, ["replies", "probes"]);
  }

  /** The store last: the ingester needs it to the end. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#gateway?.stop(), this.#ingester.stop()]);
    await this.#store.stop();
    await this.#broker[Symbol.asyncDispose]();
    this.#lock[Symbol.dispose]();
  }
}

function gatewayChild(
  { directory, say }: StackConfig,
  { gateway, issuerPort }: GatewayListen,
  { broker, store }: StackAddresses,
): Child {
  const places = ["--gateway-listen", listenText(gateway), "--issuer-port", String(issuerPort)];
  const args = ["gateway", "--dir", directory, "--broker", broker, "--store", store, ...places, "--child"];
  return new Child({ name: "gateway", args, say });
}

function report({ applied, ttlChanged }: MigrationReport, { ttlDays, say }: StackConfig): void {
  if (applied.length > 0) {
    say(`store: brought to version ${applied.at(-1)}`);
  }
  if (ttlChanged.length > 0) {
    say(`store: results are now kept for ${ttlDays} days`);
  }
}
