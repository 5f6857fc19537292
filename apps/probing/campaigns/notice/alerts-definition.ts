/**
 * The alerts of a definition:
 *
 *   alerts:
 *     detectors:                       left out: all of them, as lib/measuring/campaign/notice/rules.ts has them
 *       loss: { threshold_percent: 10, runs: 3 }
 *       rtt: { gap_ms: 1, gap_percent: 10, raise: 2, of: 3, settle: 12 }
 *       next_hops: { correlation: -0.25 }
 *       new_link: {}
 *       silence: {}
 *     routes: true                     changed routes towards targets raise alerts, too
 *     follow_up: { measure: trace, agents: [west], probes_per_day: 2000 }
 *                                      what a raised alert starts; agents left out: the alert's own
 *     deliveries:
 *       - { webhook: "https://hooks.example.net/vantage", secret: at least 16 characters }
 *       - { webhook: "https://hooks.slack.com/services/…", format: slack }
 *       - { email: noc@example.net }
 */
import * as v from "valibot";
import { alertFormats } from "../../../../lib/base/api/alerts.ts";
import {
  changeHold,
  everyRule,
  faultHold,
  type Rules,
} from "../../../../lib/measuring/campaign/notice/rules.ts";
import { agentIdSchema } from "../../../../lib/measuring/probing/agent-config.ts";
import {
  deliveriesMax,
  followUpAgentsMax,
  followUpProbesDefault,
  followUpProbesMax,
  placeCharsMax,
  secretCharsMax,
  secretCharsMin,
  templateCharsMax,
  windowRunsMax,
} from "../limits.ts";

function figure(low: number, high: number) {
  const message = `must be a number from ${low} to ${high}`;
  return v.pipe(v.number(message), v.minValue(low, message), v.maxValue(high, message));
}

function runs(low: number) {
  return v.pipe(figure(low, windowRunsMax), v.integer("must be a whole number"));
}

interface Hold {
  readonly raise: number;
  readonly of: number;
  readonly settle: number | null;
}

function holdEntries({ raise, of, settle }: Hold) {
  return {
    raise: v.optional(runs(1), raise),
    of: v.optional(runs(1), of),
    settle: v.optional(v.nullable(runs(1)), settle),
  };
}

function held<Entries extends v.ObjectEntries>(hold: Hold, more: Entries) {
  return v.pipe(
    v.strictObject({ ...holdEntries(hold), ...more }),
    v.check((given) => {
      const { raise, of } = given as unknown as Hold;
      return raise <= of;
    }, '"raise" must not be more than "of"'),
  );
}

const { loss, rtt, next_hops: nextHops } = everyRule;
const detectorsSchema = v.strictObject({
  loss: v.optional(
    v.strictObject({
      threshold_percent: v.optional(figure(0.1, 99), 100 * loss.threshold),
      runs: v.optional(runs(1), loss.runs),
    }),
  ),
  rtt: v.optional(
    held(rtt, {
      gap_ms: v.optional(figure(0.1, 10_000), rtt.gapMs),
      gap_percent: v.optional(figure(0, 1000), 100 * rtt.gapShare),
    }),
  ),
  next_hops: v.optional(held(nextHops, { correlation: v.optional(figure(-1, 0), nextHops.correlation) })),
  new_link: v.optional(held(changeHold, {})),
  truncation: v.optional(held(faultHold, {})),
  loop: v.optional(held(faultHold, {})),
  new_as: v.optional(held(changeHold, {})),
  silence: v.optional(held(faultHold, {})),
});

const secret = v.pipe(
  v.string("must be text: the key of the signature"),
  v.minLength(secretCharsMin, `must have at least ${secretCharsMin} characters`),
  v.maxLength(secretCharsMax, `must have at most ${secretCharsMax} characters`),
);
/** What `{{NAME}}` in a template may name: members of a message, its subject, and all of it as lines. */
const templateNames = [
  ...[
    "id",
    "campaign_id",
    "campaign",
    "run",
    "planned_at",
    "kind",
    "alert_id",
    "detector",
    "agent",
    "destination",
  ],
  ...["value", "threshold", "reason", "follow_up", "follow_up_id", "follow_up_reason", "subject", "text"],
];
export const templatePlace = /\{\{(\w+)\}\}/g;

const template = v.pipe(
  v.string(),
  v.maxLength(templateCharsMax, `must have at most ${templateCharsMax} characters`),
  v.check(
    (given) => [...given.matchAll(templatePlace)].every(([, name = ""]) => templateNames.includes(name)),
    `may name only ${templateNames.map((name) => `{{${name}}}`).join(", ")}`,
  ),
  v.check(
    (given) => isJson(given.replaceAll(templatePlace, "x")),
    'must be JSON, with {{NAME}} inside of strings: {"text": "{{text}}"}',
  ),
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const webhook = v.pipe(
  v.strictObject({
    webhook: v.pipe(
      v.string(),
      v.maxLength(placeCharsMax, `must have at most ${placeCharsMax} characters`),
      v.check(isWebAddress, "must be an https:// address without a user"),
    ),
    format: v.optional(v.picklist(alertFormats)),
    template: v.optional(template),
    secret: v.optional(secret),
  }),
  v.check(
    ({ format, template: given }) => format === undefined || given === undefined,
    'has either "format" or "template"',
  ),
  v.check(
    ({ webhook: address, format, template: own, secret: given }) =>
      given !== undefined ||
      own !== undefined ||
      (format !== undefined && format !== "pagerduty") ||
      isShortened(address),
    "needs a secret: the key of the signature, or PagerDuty's integration key",
  ),
);

const email = v.strictObject({
  email: v.pipe(
    v.string(),
    v.maxLength(254, "must have at most 254 characters"),
    v.regex(/^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, "must be an e-mail address"),
  ),
});

const followUp = v.strictObject({
  measure: v.picklist(["trace", "ping", "discover"], "must be trace, ping or discover"),
  agents: v.optional(
    v.pipe(v.array(agentIdSchema), v.minLength(1, "must have an agent"), v.maxLength(followUpAgentsMax)),
  ),
  probes_per_day: v.optional(
    v.pipe(figure(1, followUpProbesMax), v.integer("must be a whole number")),
    followUpProbesDefault,
  ),
});
export type FollowUp = v.InferOutput<typeof followUp>;

export const alertsSchema = v.strictObject({
  detectors: v.optional(detectorsSchema),
  routes: v.optional(v.boolean(), false),
  follow_up: v.optional(followUp),
  deliveries: v.optional(
    v.pipe(
      v.array(v.union([webhook, email], "must have webhook and secret, webhook and format, or email")),
      v.maxLength(deliveriesMax, `must be at most ${deliveriesMax}`),
    ),
    [],
  ),
});
export type Alerts = v.InferOutput<typeof alertsSchema>;
export type DeliveryTarget = Alerts["deliveries"][number];

/** The public part of a recipient: a webhook's path often is a secret. */
export function placeOf(target: DeliveryTarget): string {
  return "email" in target ? target.email : new URL(target.webhook).host;
}

/** Whether it is shown, instead of whole: an edit keeps the one that it stands for. */
export function isShortened(webhook: string): boolean {
  return webhook.endsWith(hiddenPath);
}

const hiddenPath = "/…";

/** As stored and shown, without secrets. */
export function shownAlerts({ detectors, routes, follow_up: followed, deliveries }: Alerts) {
  const places = deliveries.map((target) =>
    "email" in target
      ? { email: placeOf(target) }
      : {
          webhook: `https://${placeOf(target)}${hiddenPath}`,
          ...(target.format === undefined ? {} : { format: target.format }),
          ...(target.template === undefined ? {} : { template: target.template }),
        },
  );
  return {
    ...(detectors === undefined ? {} : { detectors }),
    ...(routes ? { routes } : {}),
    ...(followed === undefined ? {} : { follow_up: followed }),
    deliveries: places,
  };
}

/** Settings of a stored definition. */
export function rulesOf({ detectors }: Pick<Alerts, "detectors">): Rules {
  if (detectors === undefined) {
    return everyRule;
  }
  const { loss, rtt, next_hops: nextHops, ...others } = detectors;
  return {
    ...others,
    ...(loss === undefined ? {} : { loss: { threshold: loss.threshold_percent / 100, runs: loss.runs } }),
    ...(rtt === undefined ? {} : { rtt: { ...rtt, gapMs: rtt.gap_ms, gapShare: rtt.gap_percent / 100 } }),
    ...(nextHops === undefined ? {} : { next_hops: nextHops }),
  };
}

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  // Plain http is for hosts allowed by the operator, which is checked when sending.
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
