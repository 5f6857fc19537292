/** A probing gateway's API responses about discoveries. */
import * as v from "valibot";
import { time } from "./fields.ts";

const id = v.pipe(v.string(), v.uuid());

export const discoveryForecast = v.object({
  agents: v.pipe(v.number(), v.description("Those that would take part now")),
  strategy: v.string(),
  prefixes: v.pipe(v.number(), v.description("Units that are discovered separately")),
  prefixes_each: v.pipe(v.number(), v.description("Prefixes that each agent probes: its budget, or all")),
  prefixes_left: v.pipe(v.number(), v.description("Prefixes beyond all agents' budgets, at least")),
  subnets: v.number(),
  contained: v.pipe(v.number(), v.description("Nested targets, covered by the ones around them")),
  left_out_subnets: v.pipe(
    v.number(),
    v.description("Not probed, because some of their addresses must not be, by lists of the platform"),
  ),
  left_out: v.pipe(
    v.array(v.object({ subnet: v.string(), reason: v.string() })),
    v.description("The first ten of them"),
  ),
  probes_first_round: v.pipe(v.number(), v.description("Of all agents")),
  probes_expected: v.pipe(
    v.number(),
    v.description("For the whole run, estimated from simulated networks; real routes may need many more"),
  ),
  probes_max: v.pipe(
    v.number(),
    v.description(
      "Hard limit; if it is below probes_expected, the run likely ends before everything is found",
    ),
  ),
  quota_per_day: v.number(),
  quota_share: v.pipe(v.number(), v.description("probes_max / quota_per_day")),
  rounds_max: v.number(),
  rate: v.pipe(v.number(), v.description("Packets a second, of each agent")),
  router_rate: v.pipe(v.number(), v.description("Packets a second to a router, of each agent")),
  first_round_sec: v.pipe(v.number(), v.description("At these rates, including the wait for replies")),
  longest_sec: v.pipe(
    v.number(),
    v.description("For probes_max in rounds_max rounds, at that rate; known routers may hold it up further"),
  ),
});

const round = v.object({
  round: v.number(),
  probes: v.pipe(v.number(), v.description("The planned number")),
  sent: v.number(),
  units: v.pipe(v.number(), v.description("Prefixes x agents that needed probes")),
  links: v.pipe(
    v.number(),
    v.description("Between two routers, found before it; above 16,384 estimated, to 1 % or so"),
  ),
  nodes: v.pipe(v.number(), v.description("Routers, likewise")),
  computed_at: time,
});

export const discoveryAnswer = v.object({
  id: v.pipe(id, v.description("The same as its campaign's")),
  name: v.string(),
  state: v.picklist(["running", "paused", "ended"]),
  run: v.pipe(v.nullable(v.number()), v.description("The newest run, to which the figures apply")),
  run_state: v.nullable(v.string()),
  reason: v.pipe(
    v.nullable(v.string()),
    v.description("Why the run failed, or ended before all was found: `budget used up`, `rounds used up`, …"),
  ),
  complete: v.pipe(
    v.nullable(v.boolean()),
    v.description("Whether no prefix needed more probes at the end; null: it has not ended"),
  ),
  strategy: v.string(),
  round: v.pipe(v.nullable(v.number()), v.description("The newest that was computed; null: none yet")),
  probes_planned: v.number(),
  probes_sent: v.number(),
  probes_max: v.number(),
  probes_rest: v.pipe(
    v.nullable(v.number()),
    v.description("Expected, if rounds continue to shrink as the last two did; null: unknown"),
  ),
  units: v.pipe(v.nullable(v.number()), v.description("Prefixes x agents that wanted probes in that round")),
  links: v.pipe(
    v.nullable(v.number()),
    v.description(
      "Between two routers; links to destinations, which the view `links` has too, are not counted",
    ),
  ),
  nodes: v.pipe(v.nullable(v.number()), v.description("Routers; destinations are not counted")),
  created_at: time,
  ended_at: v.nullable(time),
});

export const discoveryDetailAnswer = v.object({
  ...discoveryAnswer.entries,
  rounds: v.array(round),
  shares: v.pipe(
    v.array(v.object({ agent: v.string(), prefixes: v.number() })),
    v.description("Prefixes of each agent, where each has a budget; else none"),
  ),
  measurement_ids: v.pipe(v.array(id), v.description("Parts, at most 1000, the first ones first")),
  definition: v.record(v.string(), v.unknown()),
});

export const madeDiscoveryAnswer = v.object({ discovery: discoveryAnswer, forecast: discoveryForecast });
