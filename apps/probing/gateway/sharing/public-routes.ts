/**
 * Routes without a login: `/api/public/…` for public results, `/api/shared/LINK/…` for those shared by a link. The same
 * views and formats as with a login, read-only, and without any data about the user.
 */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import { viewNames } from "../../../../lib/answers/results/views.ts";
import { digits } from "../../../../lib/base/api/fields.ts";
import {
  sharedCampaignAnswer,
  sharedItemAnswer,
  sharedMeasurementAnswer,
  sharedRunAnswer,
} from "../../../../lib/base/api/sharing.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { callerNetwork } from "../../../../lib/engines/http/caller.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { pathInput, queryInput, readQuery } from "../../../../lib/engines/http/input.ts";
import { pageAnswer, pageQuery } from "../../../../lib/engines/http/page.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { listRuns } from "../../campaigns/campaign-runs.ts";
import { readCampaign } from "../../campaigns/campaigns.ts";
import { findMeasurement } from "../measurements/find-measurement.ts";
import type { ListServices } from "../measurements/list.ts";
import { listQuerySchema } from "../measurements/list-query.ts";
import { partView, publicMeasurementView } from "../measurements/measurement-view.ts";
import { AnswerStreams } from "../reads/answer-streams.ts";
import { strangersFiguresAtOnceMax, strangersStreamsMax } from "../reads/limits.ts";
import { findMeasurementWindow } from "../reads/measurement-window.ts";
import type { ReadServices } from "../reads/selection.ts";
import { againstOf, contextOf, ViewAnswers, viewQuery } from "../reads/view-answers.ts";
import { type Link, linked, listPublic, openShared } from "./doors.ts";
import { freshness } from "./freshness.ts";
import { Strangers } from "./strangers.ts";

const id = v.pipe(v.string(), v.uuid("must be an id"), v.toLowerCase());
const viewName = v.picklist(viewNames, `must be ${viewNames.join(", ")}`);
const { target, asn, agent, kind, tag, name, since, until } = listQuerySchema.entries;
const listQuery = queryInput(
  v.object({ ...pageQuery, after: v.optional(id), target, asn, agent, kind, tag, name, since, until }),
);
const runsQuery = queryInput(
  v.object({
    ...pageQuery,
    after: v.optional(digits(7, "must be a number")),
  }),
);

const common = { tags: ["sharing"], auth: "public" } as const;
const limited = [404, 429] as const;
const list = describe({
  ...common,
  summary: "What is public",
  description: "Measurements and campaigns, the latest first.",
  ok: v.array(sharedItemAnswer),
  problems: [400, 429],
});
const what = describe({ ...common, summary: "What a link is for", ok: sharedItemAnswer, problems: limited });

function descriptions(how: string) {
  const answers = { ...common, problems: [400, ...limited] };
  return {
    measurement: describe({ ...answers, summary: `A measurement ${how}`, ok: sharedMeasurementAnswer }),
    view: describe({
      ...answers,
      summary: `Results of a measurement ${how}`,
      description:
        "Views, parameters and formats are those of /api/measurements/ID, without with=name. When it has ended, ETag " +
        "names what was sent: If-None-Match is answered 304 while nothing has come.",
      ok: [{ status: 200, description: "Rows", headers: { ETag: "Of ended ones" } }],
      problems: [400, 404, 406, 429, 503],
    }),
    campaign: describe({ ...answers, summary: `A campaign ${how}`, ok: sharedCampaignAnswer }),
    runs: describe({ ...answers, summary: `Runs of a campaign ${how}`, ok: v.array(sharedRunAnswer) }),
  };
}

interface Way {
  readonly base: string;
  readonly how: string;
  readonly linkOf: (c: Context<HttpEnv>) => Link;
}

const ways: readonly Way[] = [
  { base: "/api/public", how: "that is public", linkOf: () => null },
  { base: "/api/shared/:link", how: "behind a link", linkOf: (c) => c.req.param("link") ?? "" },
];

export function publicRoutes(services: ReadServices & ListServices): Hono<HttpEnv> {
  const { database } = services;
  const strangers = new Strangers(services.config);
  const admit = strangers.admit();
  const app = new Hono<HttpEnv>();
  app.get("/api/public", list, admit, listQuery, async (c) => {
    const page = c.req.valid("query");
    return pageAnswer(c, await listPublic(services, page), { limit: page.limit, idOf: (item) => item.id });
  });
  app.get("/api/shared/:link", what, admit, async (c) =>
    c.json(await linked(database, c.req.param("link")), 200, linkHeaders),
  );
  const streams = new AnswerStreams(services, strangersStreamsMax);
  const answers = new ViewAnswers(services, streams, strangersFiguresAtOnceMax);
  for (const way of ways) {
    addMeasurements(app, way, { services, strangers, answers });
    addCampaigns(app, way, { services, strangers });
  }
  return app;
}

/** A revoked link must not survive in a cache, and a link must not leak to other sites. */
const linkHeaders = { "cache-control": "private, no-cache", "referrer-policy": "no-referrer" } as const;

interface Parts {
  readonly services: ReadServices;
  readonly strangers: Strangers;
}

function addMeasurements(
  app: Hono<HttpEnv>,
  { base, how, linkOf }: Way,
  { services, strangers, answers }: Parts & { readonly answers: ViewAnswers },
): void {
  const { database } = services;
  const { measurement, view } = descriptions(how);
  const admit = strangers.admit();
  app.get(`${base}/measurements/:id`, measurement, admit, pathInput(v.object({ id })), async (c) => {
    const { id: wanted } = c.req.valid("param");
    const { own, terms } = await openShared(database, linkOf(c), { kind: "measurement", id: wanted });
    const { row, parts } = await findMeasurement(database, own);
    const shown = { ...publicMeasurementView(row), agents: parts.map(partView), ...terms };
    return c.json(shown, 200, linkHeaders);
  });
  const viewPath = pathInput(v.object({ id, view: viewName }));
  app.get(`${base}/measurements/:id/:view`, view, admit, viewPath, async (c) => {
    const { id: wanted, view: name } = c.req.valid("param");
    const link = linkOf(c);
    const part = readQuery(c, viewQuery(name));
    againstOf(part, null);
    if (contextOf(part).includes("name")) {
      throw problem(
        400,
        "no_names",
        "Names are looked up for users only: leave out name in with=, or log in",
      );
    }
    const open = () => openShared(database, link, { kind: "measurement", id: wanted });
    const { own } = await open();
    c.set("checkAgain", open);
    const measured = await findMeasurementWindow(database, own);
    const before = freshness(c, services, {
      name,
      measured,
      isPublic: link === null,
      context: contextOf(part),
    });
    return await answers.answer(c, {
      name,
      part,
      who: callerNetwork(c) ?? "unknown",
      measured,
      before,
    });
  });
}

function addCampaigns(app: Hono<HttpEnv>, { base, how, linkOf }: Way, { services, strangers }: Parts): void {
  const { database } = services;
  const { campaign, runs } = descriptions(how);
  const admit = strangers.admit();
  const path = pathInput(v.object({ id }));
  app.get(`${base}/campaigns/:id`, campaign, admit, path, async (c) => {
    const { id: wanted } = c.req.valid("param");
    const { own, terms } = await openShared(database, linkOf(c), { kind: "campaign", id: wanted });
    const { name, phase, created_at, ended_at, next_at, done, not_done } = await readCampaign(database, own);
    const shown = { id: wanted, name, phase, created_at, ended_at, next_at, done, not_done, ...terms };
    return c.json(shown, 200, linkHeaders);
  });
  app.get(`${base}/campaigns/:id/runs`, runs, admit, path, runsQuery, async (c) => {
    const { id: wanted } = c.req.valid("param");
    const page = c.req.valid("query");
    const { own } = await openShared(database, linkOf(c), { kind: "campaign", id: wanted });
    const { rows, total } = await listRuns(database, own, page);
    const shown = rows.map(({ run, planned_at, state, ended_at, measurements }) => ({
      run,
      planned_at,
      state,
      ended_at,
      measurements: measurements.flatMap((one) => one.measurement_id ?? []),
    }));
    c.header("cache-control", linkHeaders["cache-control"]);
    return pageAnswer(c, { rows: shown, total }, { limit: page.limit, idOf: ({ run }) => String(run) });
  });
}
