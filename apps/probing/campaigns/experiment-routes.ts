/** The caller's experiments: journals sent by controllers, and results derived from them. */
import { Hono } from "hono";
import * as v from "valibot";
import {
  begunBody,
  experimentAnswer,
  experimentDetailAnswer,
  keptAnswer,
  linesBody,
  timeLineAnswer,
} from "../../../lib/base/api/experiments.ts";
import { digits } from "../../../lib/base/api/fields.ts";
import type { Steps } from "../../../lib/base/list/steps.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { describe } from "../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../lib/engines/http/input.ts";
import type { Owned } from "../../../lib/engines/http/owned.ts";
import { inTurns } from "../../../lib/engines/http/pace.ts";
import { pageAnswer, pageLimit } from "../../../lib/engines/http/page.ts";
import { requireUser, userOf } from "../../../lib/engines/http/require-user.ts";
import type { Work } from "../../../lib/engines/http/work.ts";
import type { CampaignRouteServices } from "./campaign-services.ts";
import { detailOf, journalText, timeLineCsv, timeLineOf } from "./experiments/answers.ts";
import { beginExperiment, continueExperiment } from "./experiments/journals.ts";
import {
  type ExperimentRow,
  listExperiments,
  readExperiment,
  readLines,
  removeExperiment,
} from "./experiments/kept-experiments.ts";
import { journalBodyBytesMax, memoryOfJournalByte, timeLineRowsMax } from "./limits.ts";
import { ownExperiment } from "./own-campaign.ts";

const path = pathInput(v.object({ id: v.pipe(v.string(), v.uuid("must be the id of an experiment")) }));
const listQuery = v.object({ limit: pageLimit, after: v.optional(v.pipe(v.string(), v.uuid())) });
const number = digits(7);
const timeLineQuery = v.object({
  limit: v.optional(v.pipe(number, v.minValue(1), v.maxValue(timeLineRowsMax)), "1000"),
  change: v.optional(
    v.pipe(number, v.minValue(1), v.description("Only what came behind this change, until the next")),
  ),
  after: v.optional(number),
  format: v.optional(v.picklist(["json", "csv"], "must be json or csv"), "json"),
});

const common = { tags: ["experiments"], auth: "user" } as const;
const bodyProblems = [400, 413, 415, 422, 429, 503] as const;

const descriptions = {
  begin: describe({
    ...common,
    summary: "Begin to keep the journal of an experiment",
    description:
      "`vantage experiment run` sends what it writes down, so that others of the user's machines and the console see " +
      "it. The same first line is the same experiment.",
    ok: keptAnswer,
    problems: bodyProblems,
  }),
  append: describe({
    ...common,
    summary: "Send more lines of the journal",
    description: "Existing lines are skipped, so a request may be repeated.",
    ok: keptAnswer,
    problems: [404, 409, ...bodyProblems],
  }),
  list: describe({
    ...common,
    summary: "The caller's experiments",
    description: "The latest first.",
    ok: v.array(experimentAnswer),
    problems: [400],
  }),
  show: describe({
    ...common,
    summary: "Show an experiment",
    description: "Its rounds, what each site catches, and how soon each change was seen where.",
    ok: experimentDetailAnswer,
    problems: [400, 404, 503],
  }),
  timeLine: describe({
    ...common,
    summary: "Both planes of an experiment, in the order of their times",
    description: "Times are by the controller's clock, with how sure that is. As CSV it is whole.",
    ok: [
      { status: 200, description: "A page", schema: timeLineAnswer },
      { status: 200, description: "The same columns", type: "text/csv" },
    ],
    problems: [400, 404, 503],
  }),
  journal: describe({
    ...common,
    summary: "The journal of an experiment, as it was sent",
    description: "In a folder as `journal.ndjson`, `vantage experiment show` and `timeline` read it.",
    ok: [{ status: 200, description: "A line for each entry", type: "application/x-ndjson" }],
    problems: [400, 404, 503],
  }),
  remove: describe({
    ...common,
    summary: "Remove an experiment",
    description:
      "Measurements and announcements stay unchanged; a controller that continues stops sending it.",
    ok: [{ status: 204, description: "Removed" }],
    problems: [400, 404],
  }),
};

const csvType = { "content-type": "text/csv; charset=utf-8" };

interface ExperimentServices
  extends Pick<CampaignRouteServices, "config" | "database" | "tokens" | "metrics"> {
  /** Creates the user at first contact. */
  readonly users: { idOf(userHash: string): Promise<number> };
}

/** A journal is in memory whole, so its work begins before it is read. What is returned throws Problem 404, 503. */
function journalLook(database: ExperimentServices["database"]) {
  return async <Value>(
    { work, own }: { readonly work: Work; readonly own: Owned },
    answer: (row: ExperimentRow, lines: readonly string[]) => Steps<Value>,
  ) => {
    const row = await readExperiment(database, own);
    await work.next();
    work.hold(memoryOfJournalByte * Number(row.bytes));
    work.rest();
    const lines = await readLines(database, own.id);
    return await inTurns(answer(row, lines), work);
  };
}

/** Routes that start, continue and remove journals. */
function addWrites(app: Hono<HttpEnv>, services: ExperimentServices): void {
  const { config, database, tokens, metrics, users } = services;
  const { storedBytesPerUser: bytesMax } = config.limits;
  const user = requireUser(tokens, metrics.http);
  const bodyLimits = { bytesMax: journalBodyBytesMax };
  app.post("/api/experiments", descriptions.begin, user, jsonInput(begunBody, bodyLimits), async (c) => {
    const { userHash } = userOf(c);
    await users.idOf(userHash);
    return c.json(await beginExperiment(database, { userHash, line: c.req.valid("json").begun, bytesMax }));
  });
  app.post(
    "/api/experiments/:id/journal",
    descriptions.append,
    user,
    path,
    jsonInput(linesBody, bodyLimits),
    async (c) => {
      const own = await ownExperiment(c, c.req.valid("param").id);
      return c.json(
        await continueExperiment(database, own, { ...c.req.valid("json"), work: c.get("work"), bytesMax }),
      );
    },
  );
  app.delete("/api/experiments/:id", descriptions.remove, user, path, async (c) => {
    await removeExperiment(database, await ownExperiment(c, c.req.valid("param").id));
    return c.body(null, 204);
  });
}

export function experimentRoutes(services: ExperimentServices): Hono<HttpEnv> {
  const { database, tokens, metrics } = services;
  const user = requireUser(tokens, metrics.http);
  const app = new Hono<HttpEnv>();
  const look = journalLook(database);
  addWrites(app, services);
  app.get("/api/experiments", descriptions.list, user, queryInput(listQuery), async (c) => {
    const query = c.req.valid("query");
    const rows = await listExperiments(database, { userHash: userOf(c).userHash, ...query });
    return pageAnswer(c, rows, { limit: query.limit, idOf: ({ id }) => id });
  });
  app.get("/api/experiments/:id", descriptions.show, user, path, async (c) => {
    const own = await ownExperiment(c, c.req.valid("param").id);
    return c.json(await look({ work: c.get("work"), own }, detailOf));
  });
  app.get(
    "/api/experiments/:id/timeline",
    descriptions.timeLine,
    user,
    path,
    queryInput(timeLineQuery),
    async (c) => {
      const { limit, after, change, format } = c.req.valid("query");
      const own = await ownExperiment(c, c.req.valid("param").id);
      const work = c.get("work");
      const rows = await look({ work, own }, (_row, lines) => timeLineOf(lines, change ?? null));
      if (format === "csv") {
        return c.body(await inTurns(timeLineCsv(rows), work), 200, csvType);
      }
      const from = after === undefined ? 0 : after + 1;
      const page = rows.slice(from, from + limit + 1);
      return pageAnswer(c, page, { limit, idOf: (row) => String(from + page.indexOf(row)) });
    },
  );
  app.get("/api/experiments/:id/journal", descriptions.journal, user, path, async (c) => {
    const own = await ownExperiment(c, c.req.valid("param").id);
    const text = await look({ work: c.get("work"), own }, (_row, lines) => journalText(lines));
    return c.body(text, 200, { "content-type": "application/x-ndjson" });
  });
  return app;
}
