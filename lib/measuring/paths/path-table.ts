/** The hops of a path as lines of text: one for each router, with lanes for branches, and figures. Pure. */
import type { Palette } from "../../base/terminal/colour.ts";
import { visible } from "../../base/terminal/foreign-text.ts";
import { columnsOf, padded } from "../../base/terminal/text.ts";
import { type Address, formatAddress, sameAddress } from "../../net/ip/address.ts";
import { remarkedInWords } from "../../net/packet/traffic-class.ts";
import { type Hop, type HopNode, lossPercent } from "./hops.ts";
import { laneJoint, laneMarks } from "./lanes.ts";
import { isTargets } from "./path.ts";
import { rewritingMarks } from "./rewriting.ts";
import { kindInWords, labelsInWords, msInWords, storedMsInWords } from "./words.ts";

/** Further columns about an address. */
export interface RouterNotes {
  /** Headings of the columns after the router's. */
  readonly heads: readonly string[];
  /** One cell for each heading. */
  readonly cells: (address: string) => readonly string[];
  readonly nameOf: (address: string) => string | null;
}

interface PathTable {
  readonly target: Address;
  readonly hops: readonly Hop[];
  /** The path's number of flows, to show which of them a router sees. */
  readonly flows: number;
  readonly notes: RouterNotes;
  /** With which the probes were sent; absent if unknown. */
  readonly trafficClass?: number;
  /** RTTs may be whole ticks of 0.1 ms, as in the store; then no more digits are shown. */
  readonly isStored: boolean;
}

interface MarkedTable extends PathTable {
  /** Where what NATs have made of the probes changes. */
  readonly rewritten: ReadonlyMap<HopNode, string>;
}

interface Line {
  readonly head: string;
  /** The router, then its context: one cell for each column. */
  readonly who: readonly string[];
  readonly figures: string;
  readonly notes: string;
}

const figureHeads = ["loss", "best", "median", "worst"];

/** A heading and a line for each router; empty when there are no hops. */
export function pathTable(table: PathTable, palette: Palette): string[] {
  const rewritten = rewritingMarks(table.hops);
  const lines = table.hops.flatMap((hop, i) =>
    hopLines(hop, table.hops[i - 1], { ...table, rewritten }, palette),
  );
  if (lines.length === 0) {
    return [];
  }
  const headWidth = Math.max(...lines.map(({ head }) => columnsOf(head)), 6);
  const whoHeads = ["router", ...table.notes.heads];
  const widths = whoHeads.map((head, i) =>
    Math.max(...lines.map(({ who }) => columnsOf(who[i] ?? "")), i === 0 ? 7 : columnsOf(head)),
  );
  // A column that is empty for every router would only take space.
  const shown = whoHeads.map((_, i) => i === 0 || lines.some(({ who }) => (who[i] ?? "") !== ""));
  const joined = (cells: readonly string[]) =>
    whoHeads
      .flatMap((_, i) => (shown[i] === true ? [padded(cells[i] ?? "", widths[i] ?? 0)] : []))
      .join("  ");
  const heads = figureHeads.map((head) => head.padStart(8)).join("");
  const rows = lines.map(({ head, who, figures, notes }) =>
    `${padded(head, headWidth)}  ${joined(who)}${figures}${notes === "" ? "" : `  ${notes}`}`.trimEnd(),
  );
  return [palette.dim(`${padded("  hop", headWidth)}  ${joined(whoHeads)}${heads}   ms`), ...rows];
}

function hopLines(hop: Hop, above: Hop | undefined, table: MarkedTable, palette: Palette): Line[] {
  const between = laneJoint(above, hop);
  const spacer =
    between === null ? [] : [{ head: `     ${palette.dim(between)}`, who: [], figures: "", notes: "" }];
  return [...spacer, ...hop.nodes.map((node, i) => nodeLine(hop, i, node, table, palette))];
}

function nodeLine(hop: Hop, index: number, node: HopNode, table: MarkedTable, palette: Palette): Line {
  const number = index === 0 ? String(hop.ttl).padStart(3) : "   ";
  const marks = laneMarks(hop, index, markOf(node, table));
  return {
    head: `${number}  ${marks}`,
    who: whoOf(node, table, palette),
    figures: node.address === null ? "" : figuresOf(node, table, palette),
    notes: notesOf(hop, node, table, palette),
  };
}

function markOf(node: HopNode, { target }: PathTable): string {
  if (node.address === null) {
    return "○";
  }
  return isAtTarget(node, target) ? "◉" : "●";
}

function isAtTarget({ address, kind }: HopNode, target: Address): boolean {
  return (
    address !== null &&
    (kind === null ? sameAddress(address, target) : isTargets({ from: address, kind }, target))
  );
}

function whoOf({ address, probes }: HopNode, { notes }: PathTable, palette: Palette): string[] {
  if (address === null) {
    return [palette.dim(probes === 0 ? "…" : "* no answer")];
  }
  const text = formatAddress(address);
  const name = notes.nameOf(text);
  const cells = notes.cells(text).map(visible);
  return [name === null ? text : `${visible(name)} (${text})`, ...cells];
}

function figuresOf(node: HopNode, table: PathTable, palette: Palette): string {
  const loss = lossPercent(node);
  const lossText = `${loss.toFixed(0)} %`.padStart(8);
  const figures = [node.rtt?.minMs, node.rtt?.medianMs, node.rtt?.maxMs];
  const texts = table.isStored ? storedMsInWords(figures) : figures.map(msInWords);
  const rtts = texts.map((text) => text.padStart(8)).join("");
  return (loss > 0 ? palette.bad(lossText) : lossText) + rtts;
}

function notesOf(
  hop: Hop,
  node: HopNode,
  { flows, target, trafficClass, rewritten }: MarkedTable,
  palette: Palette,
): string {
  const isPart = hop.nodes.length > 1 || (node.flows.length > 0 && node.flows.length < flows);
  const part = isPart ? palette.dim(`${node.flows.length}/${flows} flows`) : "";
  const words = node.kind === null ? "" : kindInWords(node.kind);
  const atTarget = isAtTarget(node, target);
  const isElsewhere = atTarget && node.address !== null && !sameAddress(node.address, target);
  const forTarget = isElsewhere ? palette.dim(`answers for ${formatAddress(target)}`) : "";
  const says = atTarget ? palette.dim(words) : palette.bad(words);
  const sites = (node.sites ?? []).map((site) => `site ${visible(site)}`);
  const nat = rewritten.get(node) ?? "";
  return [
    part,
    labelsInWords(node.labels),
    forTarget,
    says,
    ...sites,
    ...marksInWords(node, trafficClass),
    nat,
  ]
    .filter((text) => columnsOf(text) > 0)
    .join("  ");
}

function marksInWords({ quoted }: HopNode, sent: number | undefined): string[] {
  const { trafficClasses = [], nextHopMtus = [] } = quoted ?? {};
  const seen = sent === undefined ? [] : trafficClasses;
  return [
    ...seen.map((trafficClass) => remarkedInWords(sent ?? 0, trafficClass)),
    ...nextHopMtus.map((mtu) => `takes ${mtu} bytes`),
  ];
}
