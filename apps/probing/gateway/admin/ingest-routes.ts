/** `/admin/ingest`: the store's delay behind what agents and gateways have published. */
import { Hono } from "hono";
import * as v from "valibot";
import { ingestAnswer } from "../../../../lib/base/api/probing-admin.ts";
import type { StoredAnswer } from "../../../../lib/base/api/stored-answer.ts";
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import { type Broker, BrokerError } from "../../../../lib/engines/broker/broker.ts";
import {
  type FeedName,
  feedNames,
  ingestTopics,
  waitingRecords,
} from "../../../../lib/engines/broker/ingest-feeds.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import {
  freshnessOf,
  type TableFreshness,
} from "../../../../lib/engines/store/clickhouse/table-freshness.ts";
import type { AdminServices } from "./admin-services.ts";

type Ingest = StoredAnswer<typeof ingestAnswer>;

const description = describe({
  tags: ["admin"],
  auth: "admin",
  summary: "How far the store is behind",
  description:
    "By feed: records that wait in the broker, and the table's newest row. A broker or a store that does not respond " +
    "is reported in its feeds, with status 200.",
  ok: v.array(ingestAnswer),
  problems: [403],
});

export function ingestRoutes({ broker, store }: AdminServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/admin/ingest", description, async (c) =>
    c.json(await Promise.all(feedNames.map((feed) => ingestOf(feed, { broker, store })))),
  );
  return app;
}

async function ingestOf(
  feed: FeedName,
  { broker, store }: Pick<AdminServices, "broker" | "store">,
): Promise<Ingest> {
  const [waiting, table] = await Promise.all([
    waitingOf(broker, feed),
    store.ask((open) => freshnessOf(open, feed)).then(there, storeTrouble),
  ]);
  const { newest_at: newest = null, rows_last_minute: rows = null } = table.value ?? {};
  const behindMs = waiting.value === 0 ? 0 : newest === null ? null : Date.now() - newest.getTime();
  return {
    feed,
    topic: ingestTopics[feed],
    waiting_records: waiting.value,
    newest_at: newest,
    behind_seconds: waiting.value === null || behindMs === null ? null : Math.max(0, behindMs / 1000),
    rows_last_minute: rows,
    broker_trouble: waiting.trouble,
    store_trouble: table.trouble,
  };
}

interface Asked<Value> {
  readonly value: Value | null;
  /** Null = it responded. */
  readonly trouble: string | null;
}

function there<Value>(value: Value): Asked<Value> {
  return { value, trouble: null };
}

function storeTrouble(error: unknown): Asked<TableFreshness> {
  if (isFailure(error, "store")) {
    return { value: null, trouble: error.message };
  }
  throw error;
}

async function waitingOf(broker: Pick<Broker, "positions">, feed: FeedName): Promise<Asked<number>> {
  try {
    return there(await waitingRecords(broker, feed));
  } catch (error) {
    if (error instanceof BrokerError) {
      return { value: null, trouble: error.message };
    }
    throw error;
  }
}
