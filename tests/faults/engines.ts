/** What is not ours, for real: Apache Kafka, PostgreSQL, and ClickHouse in a process of its own. */
import { join } from "node:path";
import { migrate } from "../../lib/engines/store/clickhouse/migrate.ts";
import { type ColumnStore, openStore } from "../../lib/engines/store/clickhouse/open.ts";
import { repliesTopic } from "../../lib/net/wire/target-header.ts";
import { startKafka } from "../kafka/kafka.ts";
import type { KafkaProcess } from "../kafka/kafka-process.ts";
import { startPostgres } from "../postgres/postgres.ts";
import type { PostgresProcess } from "../postgres/postgres-process.ts";
import { until } from "./patience.ts";
import { Supervised } from "./supervised.ts";

const values = {
  ttlDays: 7,
  historyDays: 730,
  kafkaBrokers: "",
  repliesTopic,
  repliesGroup: "vantage-store",
};

export class Engines implements AsyncDisposable {
  readonly kafka: KafkaProcess;
  readonly postgres: PostgresProcess;
  readonly store: Supervised;
  readonly storeAddress: string;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: { kafka: KafkaProcess; postgres: PostgresProcess; store: Supervised; storeAddress: string },
    stack: AsyncDisposableStack,
  ) {
    this.kafka = parts.kafka;
    this.postgres = parts.postgres;
    this.store = parts.store;
    this.storeAddress = parts.storeAddress;
    this.#stack = stack;
  }

  static async start(folder: string, restartMs: number): Promise<Engines> {
    await using undo = new AsyncDisposableStack();
    const directory = join(folder, "store");
    const args = ["stack", "store", "--dir", directory];
    const store = undo.use(new Supervised({ name: "store", args, folder, restartMs }));
    const [kafka, postgres] = await Promise.all([startKafka(), startPostgres()]);
    undo.use(kafka);
    undo.use(postgres);
    const storeAddress = `chdb:${directory}`;
    await using opened = await until("the column store", () => openStore(storeAddress));
    await migrate(opened, values);
    return new Engines({ kafka, postgres, store, storeAddress }, undo.move());
  }

  /** The store as it is reached now: its port is another one after each start. */
  openStore(): Promise<ColumnStore> {
    return openStore(this.storeAddress);
  }

  async rows<Row>(query: string): Promise<Row[]> {
    await using store = await this.openStore();
    return await (await store.client.query({ query, format: "JSONEachRow" })).json<Row>();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
