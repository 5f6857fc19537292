/** The tools that send nothing: agents, the state of a measurement, and results. */
import * as v from "valibot";
import { viewNames, viewOf } from "../../../lib/answers/results/views.ts";
import type { ResultRows } from "../../../lib/engines/sdk/answers.ts";
import type { ResultFilter } from "../../../lib/engines/sdk/result-rows.ts";
import type { Vantage } from "../../../lib/engines/sdk/vantage.ts";
import { answerOf, answerOfRows, type ToolAnswer } from "./answer.ts";
import { agentsShownMax, rowsDefault, rowsMax, waitSecondsDefault, waitSecondsMax } from "./limits.ts";

export const measurementId = v.pipe(v.string(), v.uuid(), v.description("Of the measurement, from measure"));

export const agentsInput = v.object({
  words: v.optional(
    v.pipe(v.array(v.string()), v.description("Each must be in the id, place, country, AS number or a tag")),
  ),
});

export const waitInput = v.object({
  id: measurementId,
  timeout_s: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(waitSecondsMax),
      v.description(`Default ${waitSecondsDefault}; call again to wait longer`),
    ),
  ),
  min_replies: v.optional(v.pipe(v.number(), v.description("Enough with this many replies"))),
  percent: v.optional(v.pipe(v.number(), v.description("Enough with this many replies for each 100 probes"))),
});

export const resultsInput = v.object({
  id: v.pipe(v.string(), v.uuid(), v.description("Of the measurement, or of the campaign")),
  of: v.optional(
    v.pipe(
      v.picklist(["measurement", "campaign"]),
      v.description("Default measurement; a campaign has series, heatmap, changes, links, nodes and graph"),
    ),
  ),
  view: v.pipe(
    v.picklist(viewNames),
    v.description(viewNames.map((name) => `${name}: ${viewOf(name).summary}`).join("; ")),
  ),
  agent: v.optional(v.string()),
  destination: v.optional(v.pipe(v.string(), v.description("An address or a prefix"))),
  with: v.optional(
    v.pipe(
      v.array(v.picklist(["asn", "ixp", "geo", "rpki", "name"])),
      v.description("Context of the addresses"),
    ),
  ),
  rows: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(rowsMax),
      v.description(`Default ${rowsDefault}`),
    ),
  ),
});

export async function listAgents(
  vantage: Vantage,
  words: readonly string[],
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const agents = (await vantage.agents({ signal })).map(
    ({ id: agent, location, country, asn, tags, online, health, held_by_host: held }) => ({
      id: agent,
      state: held ?? (online && health !== null ? (health.healthy ? "healthy" : "unhealthy") : "offline"),
      location,
      country,
      asn,
      tags,
    }),
  );
  const wanted = words.map((word) => word.toLowerCase());
  const found = agents.filter((agent) => {
    const text = JSON.stringify(Object.values(agent)).toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return answerOfRows(found, agentsShownMax, "Give words to find those that you mean.");
}

export async function wait(
  vantage: Vantage,
  { id: measurement, timeout_s, min_replies, percent }: v.InferOutput<typeof waitInput>,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const { outcome, status } = await vantage.wait(measurement, {
    timeoutMs: (timeout_s ?? waitSecondsDefault) * 1000,
    minResults: min_replies,
    percent,
    signal,
  });
  return answerOf({ outcome, ...status });
}

export function readResults(
  vantage: Vantage,
  {
    id: given,
    of,
    view,
    agent,
    destination,
    with: fields,
    rows = rowsDefault,
  }: v.InferOutput<typeof resultsInput>,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const filter: ResultFilter = {
    ...(of === undefined ? {} : { of }),
    ...(agent === undefined ? {} : { agent }),
    ...(destination === undefined ? {} : { destination }),
    ...(fields === undefined ? {} : { with: fields }),
    limit: rows + 1,
  };
  const found = vantage.results(given, view, filter, { signal });
  return answerOfRows(
    view === "paths" ? withoutSamples(found) : found,
    rows,
    "Ask by agent and destination.",
  );
}

/** Up to a hundred round-trip times of each router are for drawings. */
async function* withoutSamples(rows: AsyncIterable<ResultRows[keyof ResultRows]>): AsyncGenerator<unknown> {
  for await (const row of rows) {
    yield JSON.parse(JSON.stringify(row, (name, value) => (name === "rtt_samples_ms" ? undefined : value)));
  }
}
