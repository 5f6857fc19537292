/** Users' views of their measurements, and cancelling. Both spellings of the path are in use. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import {
  cancellationAnswer,
  measurementAnswer,
  measurementPartAnswer,
} from "../../../../lib/base/api/measurements.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { jsonInput, queryInput, type Validated } from "../../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../../lib/engines/http/limits.ts";
import { countAnswer } from "../../../../lib/engines/http/page.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import { bodyProblems } from "../problem-statuses.ts";
import type { Services } from "../services.ts";
import { cancelMeasurement } from "./cancel.ts";
import { findMeasurement, ownMeasurement } from "./find-measurement.ts";
import { changeLabels, labelBody } from "./labels.ts";
import { type ListServices, listMeasurements } from "./list.ts";
import { listQuerySchema } from "./list-query.ts";
import { measurementView, partView } from "./measurement-view.ts";

/** A body is ignored: existing clients send `{}`. */
const cancelQuery = v.object({
  reason: v.optional(
    v.pipe(
      v.picklist(["finished"], "must be finished"),
      v.description("finished: all that was wanted is known, so that the measurement is complete"),
    ),
  ),
});
type CancelContext = Context<HttpEnv, "/:id", Validated<"query", typeof cancelQuery>>;

const tags = ["measurements"];
const auth = "user";

const list = describe({
  summary: "The caller's measurements",
  description: "Newest first. When there are more, Link has the next page as rel=next.",
  tags,
  auth,
  ok: [
    {
      status: 200,
      description: "A page",
      schema: v.array(measurementAnswer),
      headers: { Link: "The next page" },
    },
  ],
  problems: [400],
});

const status = describe({
  summary: "The progress of a measurement",
  tags,
  auth,
  ok: v.object({ ...measurementAnswer.entries, agents: v.array(measurementPartAnswer) }),
  problems: [400, 404],
});

const label = describe({
  summary: "Name a measurement, tag it, write a note",
  description:
    "What is left out stays as it is; null or an empty text removes it. They count as stored bytes.",
  tags,
  auth,
  ok: measurementAnswer,
  problems: [404, ...bodyProblems, 429],
});

const cancel = describe({
  summary: "Cancel the rest of a measurement",
  description:
    "Agents stop within 2 s. Probes that they then report as not sent are refunded to the quota of their day.",
  tags,
  auth,
  ok: cancellationAnswer,
  problems: [400, 404],
});

interface MeasurementServices extends Services, ListServices {
  readonly dispatcher: {
    /** Stops publishing these measurements. */
    stop(measurementIds: readonly string[]): void;
  };
}

export function measurementRoutes(services: MeasurementServices): Hono<HttpEnv> {
  const { config, database, tokens, metrics, dispatcher } = services;
  const user = requireUser(tokens, metrics.http);
  const app = new Hono<HttpEnv>();

  app.get("/api/measurements", list, user, queryInput(listQuerySchema), async (c) => {
    const { userHash, grant } = userOf(c);
    const asker = { userHash, tokenId: grant?.tokenId ?? null };
    const page = await listMeasurements(services, asker, c.req.valid("query"));
    if (page.cursor !== null) {
      c.header("link", nextLink(c.req.url, page.cursor));
    }
    countAnswer(c, page.total);
    return c.json(page.measurements);
  });

  const showStatus = async (c: Context<HttpEnv, "/:id">) => {
    const { row, parts } = await findMeasurement(database, await ownMeasurement(c, c.req.param("id")));
    return c.json({ ...measurementView(row), agents: parts.map(partView) });
  };
  app.get("/api/measurements/:id/status", status, user, showStatus);
  app.get("/api/measurement/:id/status", status, user, showStatus);

  app.patch(
    "/api/measurements/:id",
    label,
    user,
    jsonInput(labelBody, { bytesMax: jsonBytesMax }),
    async (c) => {
      const own = await ownMeasurement(c, c.req.param("id"));
      const bytesMax = config.limits.storedBytesPerUser;
      await changeLabels(database, own, { given: c.req.valid("json"), bytesMax });
      const { row } = await findMeasurement(database, own);
      return c.json(measurementView(row));
    },
  );

  const cancelOne = async (c: CancelContext) => {
    const own = await ownMeasurement(c, c.req.param("id"));
    const isFinished = c.req.valid("query").reason === "finished";
    const cancellation = await cancelMeasurement(database, { own, isFinished });
    if (cancellation.cancelled) {
      dispatcher.stop([own.id]);
    }
    return c.json(cancellation);
  };
  app.post("/api/measurements/:id/cancel", cancel, user, queryInput(cancelQuery), cancelOne);
  app.post("/api/measurement/:id/cancel", cancel, user, queryInput(cancelQuery), cancelOne);
  return app;
}

/** Relative, so that it is right behind any proxy. */
function nextLink(requestUrl: string, cursor: string): string {
  const url = new URL(requestUrl);
  url.searchParams.set("cursor", cursor);
  return `<${url.pathname}${url.search}>; rel="next"`;
}
