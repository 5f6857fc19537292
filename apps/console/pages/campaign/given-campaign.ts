/** What the form of a campaign begins with: usual values, or the definition that is edited. */
import * as v from "valibot";
import type { campaignDetailAnswer } from "../../../../lib/base/api/campaigns.ts";
import type { Preset } from "../../parts/preset.ts";

const usualDays = 7;

/** Seconds, as definitions have them. */
export const intervals = {
  60: "minute",
  300: "5 minutes",
  900: "15 minutes",
  3600: "hour",
  21600: "6 hours",
  86400: "day",
};

export interface GivenCampaign {
  readonly name: string;
  readonly to: string | null;
  readonly from: string | null;
  readonly kind: string;
  readonly protocol: string;
  readonly flows: string;
  readonly hops: string;
  readonly pings: string;
  /** Seconds; "" = `otherInterval`. */
  readonly every: string;
  /** An interval that the form does not offer, a cron pattern, or the event that starts runs. */
  readonly otherInterval: string | null;
  readonly stop: string;
  /** The end if `stop` stays empty; null = it must be given. */
  readonly end: string | null;
  readonly delivery: string;
  /** In words; null = none. */
  readonly keptDeliveries: string | null;
  /** Absent = all. */
  readonly detectors: Detectors | undefined;
  /** Null = it has targets. */
  readonly probeLines: number | null;
}

export type Detectors = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export function newCampaign(preset: Preset, nowMs: number): GivenCampaign {
  return {
    ...{ name: "", to: preset.to, from: preset.from, kind: preset.kind ?? "trace" },
    ...{ protocol: preset.protocol ?? "udp", flows: "8", hops: "30", pings: "10" },
    ...{ every: "900", otherInterval: null, end: null, delivery: "here", keptDeliveries: null },
    stop: new Date(nowMs + usualDays * 86_400_000).toISOString().slice(0, 16),
    ...{ detectors: undefined, probeLines: null },
  };
}

const text = v.optional(v.string(), "");
const definitionShape = v.object({
  name: text,
  agents: text,
  targets: v.optional(v.array(v.string())),
  protocol: v.optional(v.string(), "udp"),
  ttl: v.optional(v.string(), "1-32"),
  flows: v.optional(v.number(), 1),
  packets: v.optional(v.number(), 1),
  every: v.optional(v.number()),
  on: v.optional(v.object({ alert: text, ended: text })),
  cron: text,
  zone: text,
  stop: text,
  max_runs: v.optional(v.number()),
  alerts: v.optional(
    v.object({
      detectors: v.optional(v.record(v.string(), v.record(v.string(), v.unknown()))),
      deliveries: v.optional(v.array(v.record(v.string(), v.string())), []),
    }),
  ),
});

function otherInterval({ on, every, cron, zone }: v.InferOutput<typeof definitionShape>): string {
  if (on !== undefined) {
    const { alert, ended } = on;
    return alert !== ""
      ? `on an alert of ${alert}`
      : ended !== ""
        ? `at the end of ${ended}`
        : "on a webhook";
  }
  return every === undefined ? `${cron} ${zone}`.trim() : `${every} s`;
}

/** From the stored definition, whose shape is the API's. */
export function givenOf(campaign: v.InferOutput<typeof campaignDetailAnswer>): GivenCampaign {
  const given = v.parse(definitionShape, campaign.definition);
  const { targets, ttl, every, stop, max_runs: runs, alerts } = given;
  const [, hops = ttl] = ttl.split("-");
  const isOffered = every !== undefined && Object.hasOwn(intervals, String(every));
  const places = alerts?.deliveries.map((one) => one.email ?? one.webhook ?? "") ?? [];
  return {
    name: given.name,
    ...{ to: targets?.join(" ") ?? null, from: given.agents, protocol: given.protocol },
    kind: ttl.includes("-") ? "trace" : "ping",
    ...{ flows: String(given.flows), hops, pings: String(given.packets) },
    every: isOffered ? String(every) : "",
    otherInterval: isOffered ? null : otherInterval(given),
    stop: stop === "" ? "" : new Date(stop).toISOString().slice(0, 16),
    end: runs !== undefined ? `after ${runs} runs` : stop === "" ? "never" : "as it is",
    delivery: alerts === undefined ? "none" : places.length === 0 ? "here" : "kept",
    keptDeliveries: places.length === 0 ? null : `as now: ${places.join(", ")}`,
    detectors: alerts?.detectors,
    probeLines: targets === undefined ? campaign.probes.split("\n").filter(Boolean).length : null,
  };
}
