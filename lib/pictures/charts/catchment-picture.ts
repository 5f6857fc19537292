/** The catchment: for each site that sent, a bar of the sites that heard the answers. Pure. */
import { grouped } from "../counts.ts";
import { type Picture, tonePatterns, tonesMax } from "../look.ts";
import { clipped, element, type Markup } from "../markup.ts";
import { barPicture, barsMax } from "./bar-rows.ts";

/** A row of the view `catchment`. */
export interface CatchmentRow {
  /** Empty when not known. */
  readonly probe_agent: string;
  readonly probe_instance: number;
  readonly heard_by: string;
  readonly replies: number;
  readonly share_percent: number;
}

export function catchmentPicture(rows: readonly CatchmentRow[]): Picture {
  const senders = [...Map.groupBy(rows, senderOf)];
  const sites = sitesOf(rows);
  const fillOf = (site: string) => `url(#site${Math.min(sites.indexOf(site), tonesMax - 1)})`;
  const bars = senders.slice(0, barsMax).map(([name, own]) => {
    const all = own.reduce((sum, { replies }) => sum + replies, 0);
    return {
      name,
      parts: own.map((row) => ({
        share: row.replies / Math.max(1, all),
        fill: fillOf(row.heard_by),
        title: `${name}, heard by ${row.heard_by}: ${row.replies} answers (${row.share_percent} %)`,
        text: `${clipped(row.heard_by, 16)} ${row.share_percent} %`,
      })),
      figures: `${grouped(all)} answers`,
    };
  });
  return barPicture(bars, sentenceOf(rows, senders.length), legend(sites, rows));
}

function senderOf({ probe_agent: agent, probe_instance: instance }: CatchmentRow): string {
  const name = agent === "" ? "not known" : agent;
  return instance === 0 ? name : `${name} / ${instance}`;
}

/** Those that heard most first. */
export function sitesOf(rows: readonly Pick<CatchmentRow, "heard_by" | "replies">[]): string[] {
  const sums = new Map<string, number>();
  for (const { heard_by: site, replies } of rows) {
    sums.set(site, (sums.get(site) ?? 0) + replies);
  }
  return [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([site]) => site);
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
  return (
    `${grouped(all)} answers to probes of ${senders} ${senders === 1 ? "site" : "sites"}, heard at ${sites}; ` +
    `${grouped(elsewhere)} of them by another site than the one that sent.${shown}`
  );
}

/** Each with its share of all: a narrow part of a bar has no room for it. */
function legend(
  sites: readonly string[],
  rows: readonly CatchmentRow[],
): { content: readonly Markup[]; heightPx: number; widthPx: number } {
  let x = 12;
  const shown = sites.slice(0, tonesMax).map((site, i) => {
    const isRest = i === tonesMax - 1 && sites.length > tonesMax;
    const own = new Set(isRest ? sites.slice(i) : [site]);
    const name = isRest ? `${sites.length - i} others` : clipped(site, 24);
    const text = `${name} ${shareText(rows, own)}`;
    const at = x;
    x += 24 + text.length * 6.7 + 14;
    return [
      element("rect", { fill: `url(#site${i})`, x: at, y: 8, width: 18, height: 12 }),
      element("text", { class: "ink", x: at + 24, y: 18 }, text),
    ];
  });
  return {
    content: [tonePatterns("site", Math.min(tonesMax, sites.length)), ...shown.flat()],
    heightPx: 22,
    widthPx: x,
  };
}

/** `1,234 (12.34 %)` */
function shareText(rows: readonly CatchmentRow[], sites: ReadonlySet<string>): string {
  const sum = (own: readonly CatchmentRow[]) => own.reduce((all, { replies }) => all + replies, 0);
  const heard = sum(rows.filter(({ heard_by: site }) => sites.has(site)));
  return `${grouped(heard)} (${Number(((100 * heard) / Math.max(1, sum(rows))).toFixed(2))} %)`;
}
