/**
 * The rows of a column store by table and day, as ClickHouse writes TabSeparated: read while the store is in use, by an
 * embedded one and a server alike, and cut at line ends for a restore. A part of a day is replaced as a whole by
 * ClickHouse, so a query sees a day as it is at one moment.
 */
import { cannot } from "../../../lib/command/command/command-error.ts";
import { clusterOf } from "../../../lib/engines/store/clickhouse/cluster-of.ts";
import { keptDays } from "../../../lib/engines/store/clickhouse/kept-days.ts";
import { historyDaysDefault, ttlDaysDefault } from "../../../lib/engines/store/clickhouse/limits.ts";
import { storeVersion } from "../../../lib/engines/store/clickhouse/migrate.ts";
import type { ColumnStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { linesOf } from "../../../lib/engines/store/clickhouse/rows.ts";
import type { EarlierDays } from "./earlier-days.ts";
import type { CopiedStore } from "./manifest.ts";
import type { PartFiles } from "./part-files.ts";
import type { Report } from "./report.ts";
import { columnNamesOf, daysOf, rowsFrom, rowTables } from "./store-tables.ts";

type Day = CopiedStore["tables"][number]["days"][number];

interface TableCopy {
  readonly columns: string[];
  readonly days: ReadonlyMap<string, Day>;
}

interface WantedDay {
  readonly table: string;
  readonly columns: readonly string[];
  readonly day: string;
  readonly state: string;
}

interface StoreCopyOrder {
  readonly parts: PartFiles;
  readonly earlier: EarlierDays;
  readonly report: Report;
}

export class StoreCopy {
  readonly #store: ColumnStore;
  readonly #order: StoreCopyOrder;
  /** By table. */
  readonly #copied = new Map<string, TableCopy>();
  #round = 0;

  constructor(store: ColumnStore, order: StoreCopyOrder) {
    this.#store = store;
    this.#order = order;
  }

  /** Copies the days that have changed since the last call, or are new. */
  async round(): Promise<void> {
    const cluster = await clusterOf(this.#store);
    if (cluster !== null) {
      const advice = "name each of its shards with --store";
      throw cannot(
        `Cannot back up ${this.#store.address}: it is the front of ${cluster}, without rows; ${advice}`,
      );
    }
    this.#round++;
    for (const table of await rowTables(this.#store)) {
      const columns = await columnNamesOf(this.#store, table);
      const before = this.#copied.get(table)?.days;
      const days = new Map<string, Day>();
      for (const { day, state } of await daysOf(this.#store, table)) {
        const known = before?.get(day);
        days.set(day, known?.state === state ? known : await this.#day({ table, columns, day, state }));
      }
      this.#copied.set(table, { columns, days });
    }
  }

  async result(): Promise<CopiedStore> {
    const tables = [...this.#copied].map(([table, { columns, days: copied }]) => {
      const days = [...copied.values()];
      return { table, columns, rows: days.reduce((sum, day) => sum + day.rows, 0), days };
    });
    const kept = await keptDays(this.#store, ["replies", "history"]);
    return {
      from: this.#store.address,
      schemaVersion: await storeVersion(this.#store),
      ttlDays: kept.get("replies") ?? ttlDaysDefault,
      historyDays: kept.get("history") ?? historyDaysDefault,
      tables,
    };
  }

  async #day({ table, columns, day, state }: WantedDay): Promise<Day> {
    const { parts, earlier, report } = this.#order;
    const name = `${table} ${day}`;
    const linked = await earlier.link(parts, { table, day, state });
    if (linked !== null) {
      report.copied(name, { count: linked.rows, noun: "row" }, [linked], "  linked");
      return linked;
    }
    const from = await rowsFrom(this.#store, table);
    const sql = `SELECT ${columns.join(", ")} FROM ${from} WHERE date = '${day}'`;
    const lines = await linesOf(this.#store, { sql, params: {} }, "TabSeparated");
    const again = this.#round === 1 ? "" : `.${this.#round}`;
    const part = await parts.write(`store/${table}/${day}.tsv${again}`, lines);
    report.copied(name, { count: part.content.lines, noun: "row" }, [{ part }]);
    return { day, rows: part.content.lines, state, part };
  }
}
