/** `DELETE /admin/users/HASH` and `…/export`: erases or exports a user's data. */
import { Hono } from "hono";
import * as v from "valibot";
import { erasureAnswer } from "../../../../lib/base/api/erasure.ts";
import { userHash } from "../../../../lib/base/api/fields.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { pathInput, queryInput } from "../../../../lib/engines/http/input.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { pulledBody } from "../../../../lib/engines/http/pulled-body.ts";
import { operatorOf } from "../../../../lib/engines/http/require-operator.ts";
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import { userLines, userTables } from "../../../../lib/engines/store/clickhouse/user-rows.ts";
import type { AdminServices } from "./admin-services.ts";
import { eraseUser } from "./erase-user.ts";
import { exportedUser } from "./export-user.ts";
import { ownedData } from "./user-data.ts";
import { readUser } from "./users.ts";

const path = pathInput(v.object({ hash: userHash }));
const tablePath = pathInput(v.object({ hash: userHash, table: v.picklist(userTables) }));
const query = queryInput(v.object({ store: v.optional(v.picklist(["skip"])) }));
const exportSchema = v.looseObject({
  user: v.looseObject({}),
  quota_days: v.array(v.looseObject({})),
  prefixes: v.array(v.looseObject({})),
  audit: v.array(v.looseObject({})),
  measurements: v.array(v.looseObject({})),
});

const common = { tags: ["admin"], auth: "admin" } as const;
const descriptions = {
  erase: describe({
    ...common,
    summary: "Erase a user, with all measurements and results",
    description:
      "409 `user_busy` until agents have stopped: try again. 409 `store_refuses` with the `statements` to run by " +
      "hand; then `store=skip`. The response lists what is left, and where.",
    ok: erasureAnswer,
    problems: [400, 404, 409, 503],
  }),
  export: describe({
    ...common,
    summary: "Everything that the database stores about a user",
    ok: exportSchema,
    problems: [400, 404],
  }),
  results: describe({
    ...common,
    summary: "All rows of a user in the column store",
    description: "`replies`, `probes` or `history`; a line of JSON each, with the columns of the table.",
    ok: [{ status: 200, description: "Rows", type: "application/x-ndjson" }],
    problems: [400, 404, 503],
  }),
};

export function erasureRoutes(services: AdminServices): Hono<HttpEnv> {
  const { config, database, store, log } = services;
  const app = new Hono<HttpEnv>();
  app.delete("/admin/users/:hash", descriptions.erase, path, query, async (c) => {
    const isStoreSkipped = c.req.valid("query").store === "skip";
    const { hash } = c.req.valid("param");
    return c.json(await eraseUser(services, { hash, by: operatorOf(c), isStoreSkipped }));
  });
  app.get("/admin/users/:hash/export", descriptions.export, path, async (c) =>
    streamed(await exportedUser(database, c.req.valid("param").hash), "application/json", log),
  );
  app.get("/admin/users/:hash/export/:table", descriptions.results, tablePath, async (c) => {
    const { hash, table } = c.req.valid("param");
    await readUser(database.sql, hash);
    if (config.storeAddress === null) {
      throw problem(404, "no_store", "This gateway has no column store: it keeps no results");
    }
    const { selection } = await ownedData(database, hash);
    const lines = await store.ask(async (open) => {
      const rows = userLines(open, table, selection);
      // Awaits the first piece, so that an unavailable store gets its status.
      return { first: await rows.next(), rows };
    });
    return streamed(continued(lines), "application/x-ndjson", log);
  });
  return app;
}

type Pieces = AsyncGenerator<string | Uint8Array, void, undefined>;

interface Begun {
  readonly first: IteratorResult<Uint8Array, void>;
  readonly rows: AsyncGenerator<Uint8Array, void, undefined>;
}

async function* continued({ first, rows }: Begun): AsyncGenerator<Uint8Array, void, undefined> {
  if (first.done !== true) {
    yield first.value;
    yield* rows;
  }
}

function streamed(texts: Pieces, type: string, log: Logger): Response {
  const onEnd = (error: unknown) => {
    if (error !== null) {
      log.error("An export was cut off", { error });
    }
  };
  const body = pulledBody({ texts, onEnd });
  return new Response(body, { headers: { "content-type": type, "cache-control": "no-store" } });
}
