/** What users read of their measurements: replies, probes, figures and events, from the column store. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import type { HttpEnv } from "../../../lib/http/app.ts";
import { queryInput } from "../../../lib/http/input.ts";
import { Problem } from "../../../lib/http/problem.ts";
import { requireUser, userOf } from "../../../lib/http/require-user.ts";
import { replyColumns } from "../../../lib/results/reply-columns.ts";
import { measurementIdOf } from "../measurements/find-measurement.ts";
import { flagInput } from "../measurements/list-query.ts";
import type { Services } from "../services.ts";
import { AnswerStreams } from "./answer-streams.ts";
import { type EventPlace, eventsBegin, parseEventId } from "./event-place.ts";
import { type Figure, figures } from "./figures.ts";
import { figuresAtOnceMax, figuresWaitingMax, figureWaitMs } from "./limits.ts";
import { findMeasured, type Measured } from "./measured.ts";
import { measurementEvents } from "./measurement-events.ts";
import { probeColumns, probePages } from "./probe-pages.ts";
import { filterOf, limitInput, mediaTypes, partInput, wantedFormat } from "./read-query.ts";
import { replyPages } from "./reply-pages.ts";
import {
  eventsDescription,
  figureDescription,
  probesDescription,
  repliesDescription,
} from "./result-descriptions.ts";
import { unattributedHeaders, withAttribution } from "./selection.ts";
import { Turns } from "./turns.ts";

const base = "/api/measurements/:id";
const allRows = v.optional(limitInput(Number.MAX_SAFE_INTEGER));
const repliesQuery = v.object({ ...partInput, limit: allRows });
const probesQuery = v.object({ ...partInput, limit: allRows, replies: v.optional(flagInput, "") });

export function readRoutes(services: Services): Hono<HttpEnv> {
  const { database, tokens, metrics } = services;
  const user = requireUser(tokens, metrics.http);
  const streams = new AnswerStreams(services);
  const measuredOf = (c: Context<HttpEnv>): Promise<Measured> =>
    findMeasured(database, userOf(c).userHash, measurementIdOf(c.req.param("id") ?? ""));
  const app = new Hono<HttpEnv>();

  app.get(`${base}/replies`, repliesDescription, user, queryInput(repliesQuery), async (c) => {
    const { limit = null, ...part } = c.req.valid("query");
    const format = wantedFormat(c, part.format);
    const measured = await measuredOf(c);
    const filter = await withAttribution(services, measured, filterOf(measured.id, part));
    const left = await unattributedHeaders(services, filter);
    const pages = replyPages(services, { filter, limit });
    return streams.rows(c, pages, { columns: replyColumns, format }, left);
  });

  app.get(`${base}/probes`, probesDescription, user, queryInput(probesQuery), async (c) => {
    const { limit = null, replies: countReplies, ...part } = c.req.valid("query");
    const format = wantedFormat(c, part.format);
    const measured = await measuredOf(c);
    const own = filterOf(measured.id, part);
    const filter = countReplies ? await withAttribution(services, measured, own) : own;
    const left = countReplies ? await unattributedHeaders(services, filter) : {};
    const pages = probePages(services, { filter, limit, countReplies });
    return streams.rows(c, pages, { columns: probeColumns(countReplies), format }, left);
  });

  const turns = new Turns({
    atOnce: figuresAtOnceMax,
    waitingMax: figuresWaitingMax,
    waitMs: figureWaitMs,
  });
  for (const figure of figures) {
    app.get(
      `${base}/${figure.name}`,
      figureDescription(figure),
      user,
      queryInput(queryOf(figure)),
      async (c) => {
        const { limit = figure.limitDefault, ...part } = c.req.valid("query");
        const format = wantedFormat(c, part.format);
        const measured = await measuredOf(c);
        const { text, left } = await turns.run(userOf(c).userHash, async () => {
          const filter = await withAttribution(services, measured, filterOf(measured.id, part));
          const made = await services.store.ask((store) => figure.make(store, { filter, limit, format }));
          return { text: made, left: await unattributedHeaders(services, filter) };
        });
        return c.body(text, 200, {
          ...left,
          "content-type": mediaTypes[format],
          "cache-control": "private, no-store",
        });
      },
    );
  }

  app.get(`${base}/events`, eventsDescription, user, async (c) => {
    const place = placeOf(c.req.header("last-event-id"));
    const measured = await measuredOf(c);
    // A store that is not there is told at once; one that goes away later only delays the replies.
    await services.store.ask(async () => undefined);
    const { userHash } = userOf(c);
    return streams.events(c, (signal) => measurementEvents({ services, userHash, measured, place, signal }));
  });
  return app;
}

function queryOf({ limitMax }: Figure) {
  return v.object({ ...partInput, limit: v.optional(limitInput(limitMax)) });
}

function placeOf(text: string | undefined): EventPlace {
  const place = text === undefined || text === "" ? eventsBegin : parseEventId(text);
  if (place === null) {
    throw new Problem({
      status: 400,
      code: "invalid_event_id",
      message: "Cannot go on behind this Last-Event-ID: it is none of this API's",
    });
  }
  return place;
}
