/** Results of measurements: replies, probes, figures and events, from the column store. */
import { type Context, Hono } from "hono";
import { campaignRunsMax, trendRunsMax } from "../../../../lib/answers/results/limits.ts";
import { weekMs } from "../../../../lib/answers/results/views/trend.ts";
import { campaignViewNames, type ViewName, viewNames } from "../../../../lib/answers/results/views.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { queryInput } from "../../../../lib/engines/http/input.ts";
import { Owned } from "../../../../lib/engines/http/owned.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import { ownMeasurement } from "../measurements/find-measurement.ts";
import { keepOpen } from "../measurements/keep-open.ts";
import { AnswerStreams } from "./answer-streams.ts";
import { type EventPosition, eventsBegin, parseEventId } from "./event-position.ts";
import { figuresAtOnceMax, rowStreamsMax } from "./limits.ts";
import { measurementEvents } from "./measurement-events.ts";
import { campaignRuns, findMeasurementWindow, type MeasurementWindow } from "./measurement-window.ts";
import { campaignViewDescription, eventsDescription, viewDescription } from "./result-descriptions.ts";
import type { ReadServices } from "./selection.ts";
import { againstOf, ViewAnswers, viewQuery } from "./view-answers.ts";

const base = "/api/measurements/:id";

export function readRoutes(services: ReadServices): Hono<HttpEnv> {
  const { database, tokens, metrics } = services;
  const user = requireUser(tokens, metrics.http);
  const streams = new AnswerStreams(services, rowStreamsMax);
  const answers = new ViewAnswers(services, streams, figuresAtOnceMax);
  const measuredOf = (c: Context<HttpEnv>): Promise<MeasurementWindow> =>
    ownMeasurement(c, c.req.param("id") ?? "").then((own) => findMeasurementWindow(database, own));
  const app = new Hono<HttpEnv>();
  for (const name of viewNames) {
    app.get(`${base}/${name}`, viewDescription(name), user, queryInput(viewQuery(name)), async (c) => {
      const part = c.req.valid("query");
      const { userHash: who } = userOf(c);
      const measured = await measuredOf(c);
      const other = againstOf(part, measured.id);
      const against =
        other === null ? undefined : await findMeasurementWindow(database, await ownMeasurement(c, other));
      return await answers.answer(c, { name, part, who, measured, against });
    });
  }

  for (const name of campaignViewNames) {
    const path = `/api/campaigns/:id/${name}`;
    app.get(path, campaignViewDescription(name), user, queryInput(viewQuery(name)), async (c) => {
      const { userHash: who } = userOf(c);
      const part = c.req.valid("query");
      againstOf(part, null);
      const own = await Owned.by(userOf(c), { kind: "campaign", id: c.req.param("id") ?? "" });
      const runs = await campaignRuns(database, own, runRange(name, part));
      return await answers.ofRuns(c, { name, part, who, runs });
    });
  }

  app.get(`${base}/events`, eventsDescription, user, async (c) => {
    const place = placeOf(c.req.header("last-event-id"));
    const measured = await measuredOf(c);
    // A missing store is reported at once; one that is lost later only delays the replies.
    await services.store.ask(async () => undefined);
    const { userHash } = userOf(c);
    return await streams.events(c, userHash, (signal) => {
      keepOpen(services, measured.id, signal);
      return measurementEvents({ services, userHash, measured, place, signal });
    });
  });
  return app;
}

/**
 * A run's rows may come as late as a day after its planned time; a trend chooses by that time itself, and compares with
 * a week before.
 */
function runRange(name: ViewName, { since, until }: { since: Date | null; until: Date | null }) {
  const [earlierMs, max] = name === "trend" ? [weekMs, trendRunsMax] : [weekMs / 7, campaignRunsMax];
  // Nothing was planned before 1970, and PostgreSQL has no year 0.
  return { since: since === null ? null : new Date(Math.max(0, since.getTime() - earlierMs)), until, max };
}

function placeOf(text: string | undefined): EventPosition {
  const place = text === undefined || text === "" ? eventsBegin : parseEventId(text);
  if (place === null) {
    throw problem(
      400,
      "invalid_event_id",
      "Cannot resume after this Last-Event-ID: it does not come from this API",
    );
  }
  return place;
}
