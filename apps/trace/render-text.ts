/** A path as text: a line for each router of each hop, lanes for its branches, a sentence at the end. Pure. */
import { type Address, familyOf, formatAddress, sameAddress } from "../../lib/ip/address.ts";
import type { Palette } from "./colour.ts";
import { type Hop, type HopNode, hopsOf, lossPercent, median } from "./hops.ts";
import { joint, laneMarks } from "./lanes.ts";
import { silentHopsMax } from "./limits.ts";
import type { Options } from "./options.ts";
import type { LeftOut } from "./outstanding.ts";
import type { Path } from "./path.ts";
import type { Target } from "./target.ts";
import { kindInWords, labelsInWords, msInWords } from "./words.ts";

export interface TraceView {
  readonly target: Target;
  readonly path: Path;
  readonly options: Options;
  /** Of addresses, as far as they were looked up. */
  readonly names: ReadonlyMap<string, string>;
  readonly elapsedMs: number;
  readonly ended: boolean;
  readonly leftOut: LeftOut;
  /** Replies that came more than a wrap of the time code late: of all targets, as they are nobody's. */
  readonly staleReplies: number;
  /** Why probes could not be sent, if so. */
  readonly failures: readonly string[];
}

interface Line {
  readonly head: string;
  readonly who: string;
  readonly figures: string;
  readonly notes: string;
}

const protocolNames = { udp: "UDP", tcp: "TCP", icmp: "ICMP", icmpv6: "ICMPv6" };
const figureHeads = ["loss", "best", "median", "worst"];

export function renderText(view: TraceView, palette: Palette): string {
  const hops = hopsOf(view.path, view.options.firstTtl);
  const lines = hops.flatMap((hop, i) => hopLines(hop, hops[i - 1], view, palette));
  const headWidth = Math.max(...lines.map(({ head }) => width(head)), 6);
  const whoWidth = Math.max(...lines.map(({ who }) => width(who)), 7);
  const heads = figureHeads.map((head) => head.padStart(8)).join("");
  const table = lines.map(({ head, who, figures, notes }) =>
    `${pad(head, headWidth)}  ${pad(who, whoWidth)}${figures}${notes === "" ? "" : `  ${notes}`}`.trimEnd(),
  );
  const tableHead = palette.dim(`${pad("  hop", headWidth)}  ${pad("router", whoWidth)}${heads}   ms`);
  const parts = [palette.bold(title(view)), ...(lines.length === 0 ? [] : [tableHead, ...table])];
  return [...parts, view.ended ? ending(view, palette) : palette.dim("  tracing …"), ""].join("\n");
}

function title({ target, options }: TraceView): string {
  const address = formatAddress(target.address);
  const who = target.name === address ? address : `${target.name} (${address})`;
  const ports = options.protocol === "icmp" ? "" : ` to port ${options.dstPort}`;
  const last = options.srcPort + options.flows - 1;
  const flows =
    options.flows === 1
      ? `1 flow (${options.srcPort})`
      : `${options.flows} flows (${options.srcPort}–${last})`;
  const from = `from ${formatAddress(target.source)} by ${target.interfaceName}`;
  return `${who}: ${protocolNames[target.protocol]}${ports}, ${flows}, ${from}`;
}

function hopLines(hop: Hop, above: Hop | undefined, view: TraceView, palette: Palette): Line[] {
  const between = joint(above, hop);
  const spacer =
    between === null ? [] : [{ head: `     ${palette.dim(between)}`, who: "", figures: "", notes: "" }];
  return [...spacer, ...hop.nodes.map((node, i) => nodeLine(hop, i, node, view, palette))];
}

function nodeLine(hop: Hop, index: number, node: HopNode, view: TraceView, palette: Palette): Line {
  const number = index === 0 ? String(hop.ttl).padStart(3) : "   ";
  const marks = laneMarks(hop, index, markOf(node.address, view));
  return {
    head: `${number}  ${marks}`,
    who: whoOf(node, view, palette),
    figures: node.address === null ? "" : figuresOf(node, palette),
    notes: notesOf(hop, node, view, palette),
  };
}

function markOf(address: Address | null, { target }: TraceView): string {
  if (address === null) {
    return "○";
  }
  return sameAddress(address, target.address) ? "◉" : "●";
}

function whoOf({ address, probes }: HopNode, { names }: TraceView, palette: Palette): string {
  if (address === null) {
    return palette.dim(probes === 0 ? "…" : "* no answer");
  }
  const text = formatAddress(address);
  const name = names.get(text);
  return name === undefined ? text : `${name} (${text})`;
}

function figuresOf(node: HopNode, palette: Palette): string {
  const loss = lossPercent(node);
  const lossText = `${loss.toFixed(0)} %`.padStart(8);
  const figures = [node.rttsMs[0], median(node.rttsMs), node.rttsMs.at(-1)];
  const rtts = figures.map((rtt) => msInWords(rtt).padStart(8)).join("");
  return (loss > 0 ? palette.bad(lossText) : lossText) + rtts;
}

function notesOf(hop: Hop, node: HopNode, view: TraceView, palette: Palette): string {
  const isPart = hop.nodes.length > 1 || node.flows.length < view.options.flows;
  const flows = isPart ? palette.dim(`${node.flows.length}/${view.options.flows} flows`) : "";
  const words = node.kind === null ? "" : kindInWords(node.kind);
  const atTarget = node.address !== null && sameAddress(node.address, view.target.address);
  return [flows, labelsInWords(node.labels), atTarget ? palette.dim(words) : palette.bad(words)]
    .filter((text) => stripped(text) !== "")
    .join("  ");
}

function ending(view: TraceView, palette: Palette): string {
  const { sent, answered, lost, failed } = view.path.totals();
  const reached = view.path.reached();
  const verdict = reached ? palette.good(reachedWords(view.path)) : palette.bad(whyNot(view));
  const others = [
    [failed, "could not be sent"],
    [view.leftOut.forged, "forged and left out"],
    [view.leftOut.late, "late or repeated and left out"],
  ] as const;
  const more = others.map(([count, what]) => (count === 0 ? "" : `, ${count} ${what}`)).join("");
  const seconds = (view.elapsedMs / 1000).toFixed(1);
  return `  ${verdict}: ${sent} probes sent, ${answered} answered, ${lost} without answer${more}; ${seconds} s`;
}

function reachedWords(path: Path): string {
  const ends = Array.from({ length: path.flows }, (_, flow) => path.endOfFlow(flow)).filter(Number.isFinite);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return `Reached in ${low === high ? low : `${low} to ${high}`} ${high === 1 ? "hop" : "hops"}`;
}

function whyNot({ path, failures, options, target }: TraceView): string {
  const refusal = path.answers().find(({ kind }) => kind.kind === "unreachable");
  if (refusal !== undefined) {
    return `Not reached: ${formatAddress(refusal.from)} says ${kindInWords(refusal.kind)}`;
  }
  const { sent, failed } = path.totals();
  if (failed === sent && failures.length > 0) {
    return `Not reached: ${failures.at(-1)}`;
  }
  if (path.lastAnsweredTtl + silentHopsMax > options.maxTtl && path.lastAnsweredTtl > 0) {
    return `Not reached within ${options.maxTtl} hops`;
  }
  const family = familyOf(target.address) === 4 ? "IPv4" : "IPv6";
  return path.lastAnsweredTtl === 0
    ? `Not reached: nobody answered; does ${family} work here?`
    : `Not reached: nobody answered beyond hop ${path.lastAnsweredTtl}`;
}

function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - width(text)));
}

function width(text: string): number {
  return Bun.stringWidth(text);
}

function stripped(text: string): string {
  return Bun.stripANSI(text);
}
