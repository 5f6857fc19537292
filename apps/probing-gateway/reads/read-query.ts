/** Query parameters of results: filter, limit and format. */
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import * as v from "valibot";
import { exportForms } from "../../../lib/export/export-forms.ts";
import type { HttpEnv } from "../../../lib/http/app.ts";
import { Problem } from "../../../lib/http/problem.ts";
import { parsePrefix } from "../../../lib/ip/prefix.ts";
import { agentIdSchema } from "../../../lib/probing/agent-config.ts";
import { type TextForm, textForms } from "../../../lib/results/result-source.ts";
import type { ReplyFilter } from "../../../lib/store/clickhouse/reply-filter.ts";
import { timeInput } from "../measurements/list-query.ts";

export const mediaTypes: Readonly<Record<TextForm, string>> = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  brief: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
  warts: "application/octet-stream",
  ...{ atlas: "application/x-ndjson", iris: "application/x-ndjson", mtr: "application/x-ndjson" },
};

const destination = v.pipe(
  v.string(),
  v.check((text) => parsePrefix(text) !== null, "must be an address, or a prefix without host bits"),
  v.transform(parsePrefix),
);

const format = v.picklist(textForms, `must be ${textForms.join(", ")}`);

export function limitInput(max: number) {
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,16}$/, "must be a whole number"),
    v.transform(Number),
    v.check((limit) => limit >= 1 && limit <= max, `must be from 1 to ${max}`),
  );
}

const traceForms = [...textForms, ...exportForms] as const;
/** The form of traces may be that of another program. */
export const traceFormat = v.optional(v.picklist(traceForms, `must be ${traceForms.join(", ")}`));

export const partInput = {
  agent: v.optional(agentIdSchema),
  destination: v.optional(destination),
  since: v.optional(timeInput, ""),
  until: v.optional(timeInput, ""),
  format: v.optional(format),
};

const partSchema = v.object(partInput);
type Part = v.InferOutput<typeof partSchema>;

export function filterOf(
  measurementId: string,
  { agent, destination, since, until }: Omit<Part, "format">,
): ReplyFilter {
  return {
    measurementId,
    ...(agent === undefined ? {} : { agent }),
    ...(destination == null ? {} : { destination }),
    ...(since === null ? {} : { sinceMs: since.getTime() }),
    ...(until === null ? {} : { untilMs: until.getTime() }),
  };
}

/** Media types that a client may name. */
const acceptable: ReadonlyMap<string, TextForm> = new Map([
  ["application/json", "json"],
  ["application/x-ndjson", "ndjson"],
  ["application/ndjson", "ndjson"],
  ["text/csv", "csv"],
]);

/** `format` before Accept; JSON when neither says. Throws Problem 406. */
export function wantedFormat(c: Context<HttpEnv>, given: TextForm | undefined): TextForm {
  if (given !== undefined) {
    return given;
  }
  const accepted = c.req.header("accept")?.trim() || "*/*";
  if (/(^|,)\s*(\*|application)\/\*/.test(accepted)) {
    return "json";
  }
  const type = accepts(c, { header: "Accept", supports: [...acceptable.keys()], default: "" });
  const found = acceptable.get(type);
  if (found === undefined) {
    throw new Problem({
      status: 406,
      code: "not_acceptable",
      message: `Cannot answer as ${accepted.slice(0, 100)}: there are ${textForms.join(", ")}`,
    });
  }
  return found;
}
