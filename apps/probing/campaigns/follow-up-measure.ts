/** What an alert's follow-up sends, and how it starts: each once, under a key. */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { LoopYield } from "../../../lib/engines/http/loop-yield.ts";
import { Problem } from "../../../lib/engines/http/problem.ts";
import type { FollowUpServices } from "./campaign-services.ts";
import { makeCampaign } from "./campaigns.ts";
import { discoverSchema } from "./discovery/discover-fields.ts";
import { definitionOfDiscovery } from "./discovery-order.ts";
import { followUpDiscoverProbes, followUpPings, followUpTtlMax } from "./limits.ts";
import type { FollowUp } from "./notice/alerts-definition.ts";
import { planned } from "./planned.ts";

export interface DueAlert {
  readonly alert_id: string;
  readonly campaign_id: string;
  /** The same for alerts about one change. */
  readonly key: string;
  readonly agent: string;
  readonly destination: string;
  readonly run: number;
  readonly user_hash: string;
  readonly follow_up: FollowUp;
}

/** Probes x agents that it sends, or at most. */
export function probesOf(due: DueAlert): number {
  const { measure, probes_per_day } = due.follow_up;
  return measure === "discover"
    ? Math.min(followUpDiscoverProbes, probes_per_day)
    : linesOf(due).length * agentsOf(due).length;
}

/** Resolves to the id of its measurement or discovery, whether it was started now or before. Throws Problem. */
export function started(services: FollowUpServices, due: DueAlert): Promise<string> {
  const { campaign_id: campaignId, run, user_hash: userHash } = due;
  return due.follow_up.measure === "discover"
    ? startDiscovery(services, due)
    : services.measure.submit({
        userHash,
        key: keyOf(due),
        agents: agentsOf(due).join(),
        probes: linesOf(due).join(""),
        step: { campaignId, run, round: null },
      });
}

async function startDiscovery(services: FollowUpServices, due: DueAlert): Promise<string> {
  const { destination, user_hash: userHash } = due;
  const id = uuidOf(keyOf(due));
  const definition = definitionOfDiscovery(
    {
      name: `follow-up ${destination} ${id.slice(0, 8)}`,
      ...{ agents: agentsOf(due).join(), targets: [destination] },
      discover: v.parse(discoverSchema, { probes_max: probesOf(due) }),
    },
    new Date(),
  );
  const asker = { identity: { userHash, isOperator: false }, work: new LoopYield() };
  const { order } = await planned(services, asker, definition);
  try {
    return await makeCampaign(services.database, order, id);
  } catch (error) {
    const { sql } = services.database;
    const made = await sql`SELECT FROM campaigns WHERE campaign_id = ${id} AND user_hash = ${userHash}`;
    if (error instanceof Problem && made.count === 1) {
      return id;
    }
    throw error;
  }
}

function keyOf({ campaign_id, key }: DueAlert): string {
  return `follow-up ${campaign_id} ${key}`;
}

/** A UUID of version 8 (RFC 9562). */
function uuidOf(text: string): string {
  const bytes = createHash("sha256").update(text).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function agentsOf({ follow_up: { agents }, agent }: DueAlert): readonly string[] {
  return agents ?? [agent];
}

/** One flow by UDP, or echo requests. */
function linesOf({ follow_up: { measure }, destination }: DueAlert): string[] {
  if (measure === "trace") {
    return Array.from({ length: followUpTtlMax }, (_, i) => `${destination},24000,33434,${i + 1},udp\n`);
  }
  const protocol = destination.includes(":") ? "icmpv6" : "icmp";
  return Array.from({ length: followUpPings }, (_, i) => `${destination},${24_000 + i},0,64,${protocol}\n`);
}
