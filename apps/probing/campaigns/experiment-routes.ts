/** The caller's experiments: started and changed here, and results derived from their journals. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import {
  experimentAnswer,
  experimentDetailAnswer,
  importBody,
  plannedExperimentAnswer,
  startBody,
  startedExperimentAnswer,
  timeLineAnswer,
} from "../../../lib/base/api/experiments.ts";
import { digits } from "../../../lib/base/api/fields.ts";
import type { Steps } from "../../../lib/base/list/steps.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { describe } from "../../../lib/engines/http/describe.ts";
import { jsonInput, pathInput, queryInput } from "../../../lib/engines/http/input.ts";
import type { Owned } from "../../../lib/engines/http/owned.ts";
import { inTurns } from "../../../lib/engines/http/pace.ts";
import { pageAnswer, pageQuery } from "../../../lib/engines/http/page.ts";
import { requireUser, userOf } from "../../../lib/engines/http/require-user.ts";
import type { Work } from "../../../lib/engines/http/work.ts";
import type { CampaignRouteServices } from "./campaign-services.ts";
import { detailOf, journalText, timeLineCsv, timeLineOf } from "./experiments/answers.ts";
import { beginExperiment } from "./experiments/begin.ts";
import { importExperiment } from "./experiments/import.ts";
import {
  changeExperiment,
  type ExperimentRow,
  listExperiments,
  readExperiment,
  removeExperiment,
} from "./experiments/kept-experiments.ts";
import { prepared } from "./experiments/prepare.ts";
import { readLines } from "./experiments/run/open-journal.ts";
import { journalBodyBytesMax, memoryOfJournalByte, startBodyBytesMax, timeLineRowsMax } from "./limits.ts";
import { ownExperiment } from "./own-campaign.ts";

const path = pathInput(v.object({ id: v.pipe(v.string(), v.uuid("must be the id of an experiment")) }));
const listQuery = v.object({ ...pageQuery, after: v.optional(v.pipe(v.string(), v.uuid())) });
const number = digits(7);
const timeLineQuery = v.object({
  limit: v.optional(v.pipe(number, v.minValue(1), v.maxValue(timeLineRowsMax)), "1000"),
  change: v.optional(
    v.pipe(number, v.minValue(1), v.description("Only what came behind this change, until the next")),
  ),
  after: v.optional(number),
  count: pageQuery.count,
  format: v.optional(v.picklist(["json", "csv"], "must be json or csv"), "json"),
});

const common = { tags: ["experiments"], auth: "user" } as const;
const bodyProblems = [400, 413, 415, 422, 429, 503] as const;

const changing = { ...common, ok: experimentAnswer, problems: [400, 404, 409] };

const descriptions = {
  check: describe({
    ...common,
    summary: "What an experiment would do",
    description:
      "Nothing is announced, and nothing sent. 422 `plan_refused` has all objections as `problems`.",
    ok: plannedExperimentAnswer,
    problems: bodyProblems,
  }),
  start: describe({
    ...common,
    summary: "Start an experiment",
    description:
      "The gateway announces with the grant, and probes, until the plan is over or it is stopped; then the prefix is " +
      "withdrawn, and the grant forgotten. It is a campaign of one run, with the same id.",
    ok: [{ status: 201, description: "Started", schema: startedExperimentAnswer }],
    problems: [403, 409, ...bodyProblems],
  }),
  import: describe({
    ...common,
    summary: "Import the journal of an experiment that ran elsewhere",
    description: "`vantage experiment import` sends it. The same first line is the same experiment, anew.",
    ok: [{ status: 201, description: "Imported", schema: experimentAnswer }],
    problems: bodyProblems,
  }),
  pause: describe({
    ...changing,
    summary: "Pause an experiment",
    description: "Nothing more is announced or probed until it is resumed; what is announced is renewed.",
  }),
  resume: describe({
    ...changing,
    summary: "Resume a paused experiment",
    description: "The rest follows in the planned order, with the planned distances between changes.",
  }),
  stop: describe({
    ...changing,
    summary: "End an experiment",
    description: "The prefix is withdrawn everywhere within seconds, and the grant forgotten.",
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
    summary: "The journal of an experiment",
    description: "Requests, results and observations, as they were written.",
    ok: [{ status: 200, description: "A line for each entry", type: "application/x-ndjson" }],
    problems: [400, 404, 503],
  }),
  remove: describe({
    ...common,
    summary: "Remove an experiment",
    description: "One that has ended. Its measurements stay.",
    ok: [{ status: 204, description: "Removed" }],
    problems: [400, 404, 409],
  }),
};

const csvType = { "content-type": "text/csv; charset=utf-8" };

interface ExperimentServices
  extends Pick<
    CampaignRouteServices,
    "config" | "database" | "tokens" | "metrics" | "experiments" | "campaigns"
  > {
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

/** Routes that start, change, import and remove experiments. */
function addWrites(app: Hono<HttpEnv>, services: ExperimentServices): void {
  const { config, database, tokens, metrics, users, experiments, campaigns } = services;
  const user = requireUser(tokens, metrics.http);
  const startInput = jsonInput(startBody, { bytesMax: startBodyBytesMax });
  const shown = async (c: Context<HttpEnv>, id: string) =>
    readExperiment(database, await ownExperiment(c, id));
  app.post("/api/experiments/check", descriptions.check, user, startInput, async (c) =>
    c.json((await prepared(experiments, userOf(c).userHash, c.req.valid("json"))).shown),
  );
  app.post("/api/experiments", descriptions.start, user, startInput, async (c) => {
    const { userHash } = userOf(c);
    await users.idOf(userHash);
    const body = c.req.valid("json");
    const order = await prepared(experiments, userHash, body);
    const id = await beginExperiment(experiments, userHash, body.grant, order);
    campaigns.wake();
    const location = `/api/experiments/${id}`;
    return c.json({ experiment: await shown(c, id), plan: order.shown }, 201, { location });
  });
  const importInput = jsonInput(importBody, { bytesMax: journalBodyBytesMax });
  app.post("/api/experiments/import", descriptions.import, user, importInput, async (c) => {
    const { userHash } = userOf(c);
    await users.idOf(userHash);
    const { storedBytesPerUser: bytesMax } = config.limits;
    const order = { userHash, lines: c.req.valid("json").lines, work: c.get("work"), bytesMax };
    return c.json(await shown(c, await importExperiment(database, order)), 201);
  });
  for (const kind of ["pause", "resume", "stop"] as const) {
    app.post(`/api/experiments/:id/${kind}`, descriptions[kind], user, path, async (c) => {
      const { id } = c.req.valid("param");
      const own = await ownExperiment(c, id);
      await changeExperiment(database, own, kind);
      campaigns.wake();
      return c.json(await readExperiment(database, own));
    });
  }
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
    const rows = await listExperiments(database, userOf(c).userHash, query);
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
      const { limit, after, count, change, format } = c.req.valid("query");
      const own = await ownExperiment(c, c.req.valid("param").id);
      const work = c.get("work");
      const rows = await look({ work, own }, (_row, lines) => timeLineOf(lines, change ?? null));
      if (format === "csv") {
        return c.body(await inTurns(timeLineCsv(rows), work), 200, csvType);
      }
      const from = after === undefined ? 0 : after + 1;
      const page = rows.slice(from, from + limit + 1);
      const total = count ? rows.length : null;
      return pageAnswer(c, { rows: page, total }, { limit, idOf: (row) => String(from + page.indexOf(row)) });
    },
  );
  app.get("/api/experiments/:id/journal", descriptions.journal, user, path, async (c) => {
    const own = await ownExperiment(c, c.req.valid("param").id);
    const text = await look({ work: c.get("work"), own }, (_row, lines) => journalText(lines));
    return c.body(text, 200, { "content-type": "application/x-ndjson" });
  });
  return app;
}
