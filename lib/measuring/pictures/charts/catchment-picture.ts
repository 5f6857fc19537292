/** The catchment: for each sending site, a bar of the sites that received the replies. Pure. */
import { grouped } from "../counts.ts";
import type { Picture } from "../look.ts";
import { barsMax } from "./bar-rows.ts";
import { shareBars, sitesByCount } from "./share-bars.ts";

/** A row of the view `catchment`. */
export interface CatchmentRow {
  /** Empty when unknown. */
  readonly probe_agent: string;
  readonly probe_instance: number;
  readonly heard_by: string;
  readonly replies: number;
  readonly share_percent: number;
}

export function catchmentPicture(rows: readonly CatchmentRow[]): Picture {
  const shares = rows.map((row) => ({ bar: senderOf(row), site: row.heard_by, count: row.replies }));
  const senders = new Set(shares.map(({ bar }) => bar)).size;
  return shareBars(shares, { sentence: sentenceOf(rows, senders), noun: "answer", relation: "received by" });
}

function senderOf({ probe_agent: agent, probe_instance: instance }: CatchmentRow): string {
  const name = agent === "" ? "not known" : agent;
  return instance === 0 ? name : `${name} / ${instance}`;
}

/** The sites, by replies received, most first. */
export function sitesOf(rows: readonly Pick<CatchmentRow, "heard_by" | "replies">[]): string[] {
  return sitesByCount(rows.map(({ heard_by: site, replies: count }) => ({ site, count })));
}

function sentenceOf(rows: readonly CatchmentRow[], senders: number): string {
  if (rows.length === 0) {
    return "No answer yet.";
  }
  const all = rows.reduce((sum, { replies }) => sum + replies, 0);
  const elsewhere = rows
    .filter(({ probe_agent, heard_by }) => probe_agent !== "" && probe_agent !== heard_by)
    .reduce((sum, { replies }) => sum + replies, 0);
  const sites = new Set(rows.map(({ heard_by }) => heard_by)).size;
  const shown = senders > barsMax ? ` The first ${barsMax} senders are drawn.` : "";
  const replies = `${grouped(all)} ${all === 1 ? "reply" : "replies"}`;
  return elsewhere === 0
    ? `${replies}, all received at the site that sent the probe.${shown}`
    : `${replies} to probes of ${senders} ${senders === 1 ? "site" : "sites"}, received at ${sites}; ` +
        `${grouped(elsewhere)} of them at another site than the one that sent the probe.${shown}`;
}
