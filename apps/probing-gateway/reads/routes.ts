/** Results of measurements: replies, probes, figures and events, from the column store. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import type { ContextField } from "../../../lib/enrich/context-fields.ts";
import type { HttpEnv } from "../../../lib/http/app.ts";
import { queryInput } from "../../../lib/http/input.ts";
import { Problem } from "../../../lib/http/problem.ts";
import { requireUser, userOf } from "../../../lib/http/require-user.ts";
import type { TextForm } from "../../../lib/results/result-source.ts";
import type { AskStore } from "../../../lib/results/view.ts";
import { canHaveContext, viewAnswer } from "../../../lib/results/view-answer.ts";
import { answeredProbesView } from "../../../lib/results/views/probes.ts";
import { type ViewName, viewNames, viewOf } from "../../../lib/results/views.ts";
import { measurementIdOf } from "../measurements/find-measurement.ts";
import { flagInput } from "../measurements/list-query.ts";
import { AnswerStreams } from "./answer-streams.ts";
import { ContextBooks, withInput } from "./context-books.ts";
import { type EventPosition, eventsBegin, parseEventId } from "./event-position.ts";
import { FairQueue } from "./fair-queue.ts";
import { figuresAtOnceMax, figuresWaitingMax, figureWaitMs } from "./limits.ts";
import { measurementEvents } from "./measurement-events.ts";
import { findMeasurementWindow, type MeasurementWindow } from "./measurement-window.ts";
import { filterOf, formatInput, formsOf, limitInput, partInput, wantedFormat } from "./read-query.ts";
import { eventsDescription, viewDescription } from "./result-descriptions.ts";
import { type ReadServices, unattributedHeaders, withAttribution } from "./selection.ts";

const base = "/api/measurements/:id";
const figureNames: ReadonlySet<ViewName> = new Set([
  "paths",
  "loss",
  "catchment",
  "traces",
  "pings",
  "multipaths",
  "heatmap",
]);
const viewInput = { ...partInput, limit: v.optional(limitInput(Number.MAX_SAFE_INTEGER)) };
/** `replies` counts the answers to each submitted probe. */
const countsInput = { ...viewInput, replies: v.optional(flagInput, "") };

export function readRoutes(services: ReadServices): Hono<HttpEnv> {
  const { database, tokens, metrics } = services;
  const user = requireUser(tokens, metrics.http);
  const streams = new AnswerStreams(services);
  const measuredOf = (c: Context<HttpEnv>): Promise<MeasurementWindow> =>
    findMeasurementWindow(database, userOf(c).userHash, measurementIdOf(c.req.param("id") ?? ""));
  const app = new Hono<HttpEnv>();
  const books = new ContextBooks(services.config);
  const bookOf = (name: ViewName, form: TextForm, fields: readonly ContextField[] = []) => {
    if (!canHaveContext(name, form, fields)) {
      const message = `Cannot answer as ${form} with=${fields.join()}: take another format, as ndjson`;
      throw new Problem({ status: 400, code: "no_context", message });
    }
    return fields.length === 0 ? null : books.bookFor(fields);
  };

  const figureQueue = new FairQueue({
    atOnce: figuresAtOnceMax,
    waitingMax: figuresWaitingMax,
    waitMs: figureWaitMs,
  });
  for (const name of viewNames) {
    const forms = formsOf(viewOf(name));
    const format = formatInput(forms);
    const input =
      name === "probes"
        ? v.object({ ...countsInput, format })
        : viewOf(name).contextFields.length > 0
          ? v.object({ ...viewInput, format, with: withInput(viewOf(name).contextFields) })
          : v.object({ ...viewInput, format });
    const query = queryInput(input);
    app.get(`${base}/${name}`, viewDescription(name), user, query, async (c) => {
      const { limit, ...part } = c.req.valid("query");
      const form = wantedFormat(c, part.format, forms);
      const view = "replies" in part && part.replies === true ? answeredProbesView : viewOf(name);
      const book = bookOf(name, form, (part as { readonly with?: readonly ContextField[] }).with);
      const measured = await measuredOf(c);
      const filter = await withAttribution(services, measured, filterOf(measured.id, part));
      const { userHash } = userOf(c);
      // Figures cost the store more than rows: their queries are limited in number.
      const ask: AskStore = (question) =>
        figureNames.has(name)
          ? figureQueue.run(userHash, () => services.store.ask(question))
          : services.store.ask(question);
      const query = { filter, limit: limit ?? view.limitDefault };
      const left = await unattributedHeaders(services, filter);
      return await streams.texts(c, viewAnswer(view, { ask, query, form }, book), form, left);
    });
  }

  app.get(`${base}/events`, eventsDescription, user, async (c) => {
    const place = placeOf(c.req.header("last-event-id"));
    const measured = await measuredOf(c);
    // A missing store is reported at once; one that is lost later only delays the replies.
    await services.store.ask(async () => undefined);
    const { userHash } = userOf(c);
    return await streams.events(c, (signal) =>
      measurementEvents({ services, userHash, measured, place, signal }),
    );
  });
  return app;
}

function placeOf(text: string | undefined): EventPosition {
  const place = text === undefined || text === "" ? eventsBegin : parseEventId(text);
  if (place === null) {
    throw new Problem({
      status: 400,
      code: "invalid_event_id",
      message: "Cannot resume after this Last-Event-ID: it does not come from this API",
    });
  }
  return place;
}
