/** Descriptions of results in the OpenAPI document. */
import * as v from "valibot";
import { campaignRunsMax, trendRunsMax } from "../../../../lib/answers/results/limits.ts";
import { ambiguousHeader, earlyHeader } from "../../../../lib/answers/results/unattributed.ts";
import type { View } from "../../../../lib/answers/results/view.ts";
import { type ViewName, viewOf } from "../../../../lib/answers/results/views.ts";
import { describe, type Success } from "../../../../lib/engines/http/describe.ts";
import { formsOf, mediaTypes } from "./read-query.ts";

const common = { tags: ["results"], auth: "user" } as const;

const unattributed = {
  [ambiguousHeader]: "Replies that may belong to this measurement or to another; not in any row",
  [earlyHeader]: "Replies that came before the probe they fit was submitted; not in any row",
};
const contextSentence =
  "adds what was known of each answering address on the day of the answer: docs/measure/context.md.";
const breaksOff =
  "An answer that cannot be finished ends with a closed connection, never as if it were complete.";

export function viewDescription(name: ViewName) {
  const view = viewOf(name);
  const { summary, description, limitDefault, contextFields: fields } = view;
  const context = fields.length > 0 ? [`\`with=${fields.join()}\` ${contextSentence}`] : [];
  const most = limitDefault === null ? [] : [`At most ${limitDefault} without a limit.`];
  return describe({
    ...common,
    summary,
    description: [description, ...context, ...most, breaksOff].join(" "),
    ok: rowsOf(view),
    problems: [400, 404, 406, 429, 503],
  });
}

export function campaignViewDescription(name: ViewName) {
  const view = viewOf(name);
  const most = name === "trend" ? trendRunsMax : campaignRunsMax;
  return describe({
    ...common,
    tags: ["campaigns"],
    summary: `In a campaign: ${view.summary.charAt(0).toLowerCase()}${view.summary.slice(1)}`,
    description: [
      view.description,
      `The newest ${most} measurements of it, between since and until.`,
      breaksOff,
    ].join(" "),
    ok: formsOf(view).map((form) => ({
      status: 200,
      description: "Rows",
      type: mediaTypes[form],
      schema: form === "json" ? v.array(view.schema) : v.string(),
    })),
    problems: [400, 404, 406, 429, 503],
  });
}

export const eventsDescription = describe({
  ...common,
  summary: "The progress and the replies of a measurement, live",
  description: [
    "Server-sent events. `progress`: the measurement as its status has it, first and when it changes. `reply`: a",
    "reply as /replies has it, all from the first on, in the order in which they are stored. `end`: the measurement",
    "as its status has it, with the number of its `replies`, of `ambiguous_replies` and of `early_replies`, which are",
    "in none of its views, when no more can arrive. With Last-Event-ID a stream continues",
    "after that event: nothing is lost or repeated. A comment every 15 s shows that the stream is alive.",
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

function rowsOf(view: View): Success[] {
  return formsOf(view).map((form) => ({
    status: 200,
    description: "Rows",
    type: mediaTypes[form],
    schema: form === "json" ? v.array(view.schema) : v.string(),
    headers: unattributed,
  }));
}
