/**
 * The file of an experiment, in JSON or YAML:
 *
 *   experiment: prepend west
 *   prefix: 2001:db8:51::/48                 a leased one; it must outlive the experiment
 *   probe: { agents: [west, east], targets: [2001:db8:9::/48], protocol: icmpv6, rate: 500 }
 *   steps:
 *     - { at: 0m, announce: { sites: all }, probe: { catchment: { after: 20m, times: 3 } } }
 *     - { at: 90m, announce: { sites: [west], prepend: 2 }, probe: { paths: { every: 60s, until: converged } } }
 *     - { at: 180m, withdraw: { sites: [west] }, probe: { watch: { every: 1s, for: 5m } } }
 *
 * or, instead of steps, `sweep: { sites: [west, east], prepends: [0, 1, 2, 3], wait: 10m }`, or what is wanted:
 * `aim: { sites: [west, east], goals: ["west: 40 %"] }`. Times count from its start. However the experiment ends, the
 * prefix is then withdrawn everywhere.
 */
import * as v from "valibot";
import { announcementBody, prependMax } from "../../base/api/announcements.ts";
import { wholeNumber } from "../../base/api/fields.ts";
import { parseAddress } from "../../net/ip/address.ts";
import { parsePrefix } from "../../net/ip/prefix.ts";
import { protocols } from "../../net/packet/probe.ts";
import { goalForms, readGoal, readGroup } from "./aim/goals.ts";
import {
  aimChangesMax,
  aimNeighborsMax,
  aimPrependsMax,
  catchmentTimesMax,
  goalsMax,
  lastsSecMax,
  sitesMax,
  stepsMax,
  watchEverySecMin,
} from "./limits.ts";

const unitSec: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };
const durationMessage = `must be a time of at most ${lastsSecMax / 86_400} days: 500ms, 90, 90s, 20m, 2h or 1d`;

/** Seconds. */
function duration(low: number) {
  return v.pipe(
    v.union([v.number(), v.string()], durationMessage),
    v.transform((given) => {
      // From a journal: already parsed.
      if (typeof given === "number") {
        return given;
      }
      const [, digits, unit = "s"] = /^(\d{1,9})(ms|[smhd]?)$/.exec(given) ?? [];
      return digits === undefined ? Number.NaN : Number(digits) * (unitSec[unit || "s"] ?? 1);
    }),
    v.number(durationMessage),
    v.minValue(low, durationMessage),
    v.maxValue(lastsSecMax, durationMessage),
  );
}

const name = v.pipe(
  v.string("must be a name"),
  v.regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._:/+-]{0,99}$/u,
    "must be at most 100 letters, digits, blanks and . _ : / + -",
  ),
);
const siteNames = v.pipe(
  v.array(v.pipe(v.string(), v.nonEmpty())),
  v.minLength(1, "must name a site"),
  v.maxLength(sitesMax, `must name at most ${sitesMax} sites`),
);
/** `all`: every exchange server at which the lease may be announced. */
const sites = v.union([v.literal("all"), siteNames], 'must be "all", or a list of exchange servers');

/** An announcement (docs/announce/announcements.md), with its sites. */
const announcement = v.strictObject({ sites, ...v.omit(announcementBody, ["servers", "until"]).entries });

const looks = { every: duration(1), for: v.optional(duration(1)) };
const probing = v.strictObject({
  /** The catchment: the site that receives each target's replies. */
  catchment: v.optional(
    v.strictObject({
      after: v.optional(duration(0), 0),
      times: v.optional(wholeNumber(1, catchmentTimesMax), 1),
      every: v.optional(duration(1), 60),
    }),
  ),
  paths: v.optional(
    v.strictObject({ ...looks, until: v.optional(v.literal("converged", "must be converged")) }),
  ),
  /** One probe to each target per interval: measures outages to the interval. */
  watch: v.optional(v.strictObject({ ...looks, every: duration(watchEverySecMin) })),
});

const step = v.pipe(
  v.strictObject({
    at: duration(0),
    announce: v.optional(announcement),
    withdraw: v.optional(v.strictObject({ sites })),
    probe: v.optional(probing, {}),
  }),
  v.check(
    ({ announce, withdraw, probe }) =>
      announce !== undefined || withdraw !== undefined || Object.keys(probe).length > 0,
    'does nothing: it needs "announce", "withdraw" or "probe"',
  ),
);

const sweep = v.strictObject({
  sites: siteNames,
  prepends: v.optional(v.array(wholeNumber(0, prependMax)), [0, 1, 2, 3]),
  /** From an announcement to its catchment: half of the networks have it within 10 s, the last within minutes. */
  wait: v.optional(duration(1), 600),
});

const asn = wholeNumber(1, 4_294_967_294);
const weighted = v.pipe(
  v.string(),
  v.check(
    (text) => parseAddress(text) !== null || readGroup(text) !== undefined,
    "must be a target, a prefix, or an AS as AS64500",
  ),
);

/** What is wanted, instead of how: aim/goals.ts has the forms of goals. */
const aim = v.pipe(
  v.strictObject({
    sites: siteNames,
    goals: v.pipe(
      v.array(
        v.pipe(
          v.string(),
          v.check((text) => readGoal(text) !== null, goalForms),
        ),
      ),
      v.minLength(1, "must have a goal"),
      v.maxLength(goalsMax, `must have at most ${goalsMax} goals`),
    ),
    /** By target, prefix or AS; others weigh 1. */
    weights: v.optional(v.record(weighted, v.pipe(v.number(), v.minValue(0), v.maxValue(1e12))), {}),
    /** By target: its AS. The command fills them in from the sets of vantage context. */
    asns: v.optional(v.record(v.string(), asn), {}),
    /** The most at a site. */
    prepends: v.optional(wholeNumber(0, aimPrependsMax), aimPrependsMax),
    /** ASNs of a site's neighbours, that need not all get the route. */
    neighbors: v.optional(
      v.record(
        v.string(),
        v.pipe(v.array(asn), v.minLength(1, "must name a neighbour"), v.maxLength(aimNeighborsMax)),
      ),
      {},
    ),
    /** Whether a site may announce nothing. */
    withdraw: v.optional(v.boolean(), true),
    changes: v.optional(wholeNumber(1, aimChangesMax), 12),
    time: v.optional(duration(1), lastsSecMax),
    /** From an announcement to its catchment. */
    wait: v.optional(duration(1), 600),
    /** Rounds of another experiment with the prefix, with the site of each target that was at one. */
    earlier: v.optional(
      v.pipe(
        v.array(
          v.strictObject({
            announced: v.record(
              v.string(),
              v.strictObject({ prepend: wholeNumber(0, prependMax), notTo: v.array(asn) }),
            ),
            at: v.record(v.string(), v.string()),
          }),
        ),
        v.maxLength(stepsMax),
      ),
      [],
    ),
    /** Percentage points by which a share may differ. */
    tolerance: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(50)), 2),
  }),
  v.check(
    ({ sites: all, goals }) =>
      goals.map(readGoal).every((goal) => goal?.kind !== "share" || all.includes(goal.site)),
    '"goals" names a site that is not in "sites"',
  ),
  v.check(
    ({ sites: all, neighbors }) => Object.keys(neighbors).every((site) => all.includes(site)),
    '"neighbors" names a site that is not in "sites"',
  ),
);

export const experimentSchema = v.pipe(
  v.strictObject({
    experiment: name,
    prefix: v.pipe(
      v.string("must be a prefix"),
      v.check((text) => parsePrefix(text) !== null, "must be a prefix as 2001:db8:51::/48"),
    ),
    probe: v.strictObject({
      agents: v.pipe(v.array(v.string()), v.minLength(1, "must name an agent")),
      targets: v.pipe(v.array(v.string()), v.minLength(1, "must name a target")),
      protocol: v.optional(v.picklist(protocols), "icmpv6"),
      rate: v.optional(wholeNumber(1, 1_000_000), 500),
      /** By agent: the exchange server whose replies it receives, if the names differ. */
      sites: v.optional(v.record(v.string(), v.pipe(v.string(), v.nonEmpty())), {}),
    }),
    steps: v.optional(v.pipe(v.array(step), v.minLength(1), v.maxLength(stepsMax))),
    sweep: v.optional(sweep),
    aim: v.optional(aim),
  }),
  v.check(
    (given) => [given.steps, given.sweep, given.aim].filter((plan) => plan !== undefined).length === 1,
    'needs either "steps", "sweep" or "aim"',
  ),
  v.check(
    ({ steps = [] }) => steps.every(({ at }, i) => at >= (steps[i - 1]?.at ?? 0)),
    '"steps" must be in the order of their times',
  ),
);

export type Experiment = v.InferOutput<typeof experimentSchema>;
export type Announcement = v.InferOutput<typeof announcement>;
export type ExperimentStep = v.InferOutput<typeof step>;
export type Sweep = v.InferOutput<typeof sweep>;
export type Aim = v.InferOutput<typeof aim>;
