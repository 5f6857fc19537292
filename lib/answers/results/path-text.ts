/** A path as a drawing. Pure. */
import type { Palette } from "../../base/terminal/colour.ts";
import { counted } from "../../base/terminal/figures.ts";
import { visible } from "../../base/terminal/foreign-text.ts";
import { pathTable, type RouterNotes } from "../../measuring/paths/path-table.ts";
import { noProbes, probeTotalsText } from "../../measuring/paths/probe-totals.ts";
import { kindInWords, reachedInWords } from "../../measuring/paths/words.ts";
import { formatAddress } from "../../net/ip/address.ts";
import { protocolNames } from "../../net/packet/probe.ts";
import { type AsPath, asPathLines } from "../enrich/path-context.ts";
import type { MeasuredPath } from "./read-path.ts";

interface KnownOfPath {
  readonly notes: RouterNotes;
  readonly asPaths: readonly AsPath[];
}

/** A title, the hops with their lanes, and a sentence. */
export function pathText(path: MeasuredPath, palette: Palette, { notes, asPaths }: KnownOfPath): string {
  const { agent, target, flows, hops, protocol, probes } = path;
  const table = pathTable({ target, hops, flows: flows.length, notes, isStored: true }, palette);
  const ends = flows.map(({ endTtl }) => endTtl ?? Number.POSITIVE_INFINITY);
  const verdict = path.reached ? palette.good(reachedInWords(ends)) : palette.bad(endOf(path));
  const { submitted: sent, answered, lost, duplicates } = probes;
  return [
    palette.bold(
      `${visible(agent)} to ${formatAddress(target)}: ${protocolNames[protocol]}, ${flowsText(path)}`,
    ),
    ...table,
    `  ${verdict}: ${probeTotalsText({ ...noProbes, sent, answered, lost }, "submitted")}${copiesText(duplicates)}`,
    ...asPathLines(asPaths, flows.length).map((line) => `  ${visible(line)}`),
    "",
  ].join("\n");
}

function copiesText(count: number): string {
  return count === 0 ? "" : `; ${counted(count, "duplicate answer")}`;
}

function flowsText({ flows, protocol }: MeasuredPath): string {
  const ports = [...new Set(flows.map(({ srcPort }) => srcPort))];
  const range = ports.length > 1 ? `${ports[0]}–${ports.at(-1)}` : `${ports[0]}`;
  const to = [...new Set(flows.map(({ dstPort }) => dstPort))];
  const target = protocol === "icmp" || protocol === "icmpv6" || to.length > 1 ? "" : ` to port ${to[0]}`;
  return `${flows.length} ${flows.length === 1 ? "flow" : "flows"} (${range})${target}`;
}

function endOf({ hops }: MeasuredPath): string {
  for (const { address, kind } of hops.flatMap(({ nodes }) => nodes)) {
    if (address !== null && kind?.kind === "unreachable") {
      return `Not reached: ${formatAddress(address)} says ${kindInWords(kind)}`;
    }
  }
  const last = hops.findLast(({ nodes }) => nodes.some(({ answered }) => answered > 0));
  return last === undefined ? "No answer" : `Not reached: no answer beyond hop ${last.ttl}`;
}
