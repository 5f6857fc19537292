/** Query parameters of results: filter, limit and format. */
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import * as v from "valibot";
import { type TextForm, textForms } from "../../../../lib/answers/results/result-source.ts";
import type { ViewText } from "../../../../lib/answers/results/view.ts";
import { digits } from "../../../../lib/base/api/fields.ts";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { problem } from "../../../../lib/engines/http/problem.ts";
import type { ReplyFilter } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import { columnForms, programForms } from "../../../../lib/measuring/formats/forms.ts";
import { agentIdSchema } from "../../../../lib/measuring/probing/agent-config.ts";
import { readPrefix } from "../../../../lib/net/ip/typed-address.ts";
import { timeInput } from "../measurements/list-query.ts";

export const mediaTypes: Readonly<Record<TextForm, string>> = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  brief: "text/plain; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  arrow: "application/vnd.apache.arrow.stream",
  warts: "application/x-warts",
  atlas: "application/x-atlas-ndjson",
  iris: "application/x-iris-ndjson",
  mtr: "application/x-mtr-ndjson",
  dot: "text/vnd.graphviz; charset=utf-8",
  graphml: "application/graphml+xml",
  svg: "image/svg+xml",
};

const destination = v.pipe(
  v.string(),
  v.check((text) => readPrefix(text).ok, "must be an address, or a prefix without host bits"),
  v.transform((text) => {
    const read = readPrefix(text);
    return read.ok ? read.value : null;
  }),
);

/** A view's formats: rows computed here have no columnar format, and some are for programs. */
export function formsOf(view: Pick<ViewText, "writers" | "hasColumns">): readonly TextForm[] {
  return [
    ...textForms,
    ...(view.hasColumns ? columnForms : []),
    ...programForms.filter((form) => view.writers?.[form] !== undefined),
  ];
}

export function formatInput(forms: readonly TextForm[]) {
  return v.optional(v.picklist(forms, `must be ${forms.join(", ")}`));
}

export function limitInput(max: number) {
  return v.pipe(
    digits(16),
    v.check((limit) => limit >= 1 && limit <= max, `must be from 1 to ${max}`),
  );
}

export const partInput = {
  agent: v.optional(agentIdSchema),
  destination: v.optional(destination),
  since: v.optional(timeInput, ""),
  until: v.optional(timeInput, ""),
};

const partSchema = v.object(partInput);
type Part = v.InferOutput<typeof partSchema>;

export function filterOf(measurementId: string, part: Part): ReplyFilter {
  return { measurementId, ...partOf(part) };
}

export function partOf({ agent, destination, since, until }: Part): ReplyFilter {
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(destination == null ? {} : { destination }),
    ...(since === null ? {} : { sinceMs: since.getTime() }),
    ...(until === null ? {} : { untilMs: until.getTime() }),
  };
}

/** `format` before Accept; JSON without either. Throws Problem 406. */
export function wantedFormat(
  c: Context<HttpEnv>,
  given: TextForm | undefined,
  forms: readonly TextForm[],
): TextForm {
  if (given !== undefined) {
    return given;
  }
  const accepted = c.req.header("accept")?.trim() || "*/*";
  if (/(^|,)\s*(\*|application)\/\*/.test(accepted)) {
    return "json";
  }
  const types = acceptable(forms);
  const type = accepts(c, { header: "Accept", supports: [...types.keys()], default: "" });
  const found = types.get(type);
  if (found === undefined) {
    throw problem(
      406,
      "not_acceptable",
      `Cannot answer as ${accepted.slice(0, 100)}: there are ${[...types.keys()].join(", ")}`,
    );
  }
  return found;
}

/** Media types that a client may request. */
function acceptable(forms: readonly TextForm[]): ReadonlyMap<string, TextForm> {
  const own = forms.flatMap((form) =>
    // `brief` has the type of `ndjson`.
    form === "brief" ? [] : [[mediaTypes[form].replace(/;.*/, ""), form] as const],
  );
  return new Map([...own, ["application/ndjson", "ndjson"]]);
}
