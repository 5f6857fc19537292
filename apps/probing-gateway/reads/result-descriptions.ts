/** What the OpenAPI document says of results. */
import type { GenericSchema } from "valibot";
import * as v from "valibot";
import { describe, type Success } from "../../../lib/http/describe.ts";
import { ambiguousHeader, earlyHeader } from "../../../lib/results/unattributed.ts";
import type { Figure } from "./figures.ts";
import { mediaTypes, rowFormats } from "./read-query.ts";
import { catchmentSchema, lossSchema, pathSchema, probeSchema, replySchema } from "./row-schemas.ts";

const common = { tags: ["results"], auth: "user" } as const;
const problems = [400, 404, 406, 429, 503];
const breaksOff =
  "An answer that cannot be finished ends with a broken connection, never as if it were whole.";

const unattributed = {
  [ambiguousHeader]: "Replies that may be of this measurement or of another; in no row",
  [earlyHeader]: "Replies that came before the probe they fit was submitted; in no row",
};

export const repliesDescription = describe({
  ...common,
  summary: "The replies of a measurement",
  description: `By time of capture; those that have come so far. ${breaksOff}`,
  ok: rowsOf(replySchema),
  problems,
});

export const probesDescription = describe({
  ...common,
  summary: "The submitted probes of a measurement, one for each agent and source",
  description: `In the order of the submission. ${breaksOff}`,
  ok: rowsOf(probeSchema),
  problems,
});

const figureSchemas = { paths: pathSchema, loss: lossSchema, catchment: catchmentSchema };

export function figureDescription({ name, summary }: Figure) {
  return describe({ ...common, summary, ok: rowsOf(figureSchemas[name]), problems: [400, 404, 406, 503] });
}

export const eventsDescription = describe({
  ...common,
  summary: "The progress and the replies of a measurement, live",
  description: [
    "Server-sent events. `progress`: the measurement as its status has it, first and when it changes. `reply`: a",
    "reply as /replies has it, all from the first on, in the order in which they are stored. `end`: the measurement",
    "as its status has it, with the number of its `replies`, of `ambiguous_replies` and of `early_replies`, which are",
    "in none of its views, when no more can come. With Last-Event-ID a stream goes",
    "on behind that event: nothing is lost, nothing comes twice. A comment each 15 s says that the stream lives.",
  ].join(" "),
  ok: [
    {
      status: 200,
      type: "text/event-stream",
      description: "Events",
      schema: v.string(),
      example: 'event: progress\ndata: {"status":"running"}\n\n',
    },
  ],
  problems: [400, 404, 429, 503],
});

function rowsOf(schema: GenericSchema): Success[] {
  return rowFormats.map((format) => ({
    status: 200,
    description: "Rows",
    type: mediaTypes[format],
    schema: format === "json" ? v.array(schema) : v.string(),
    headers: unattributed,
  }));
}
