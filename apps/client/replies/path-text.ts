/** A path as a drawing. Pure. */
import { formatAddress } from "../../../lib/ip/address.ts";
import type { Path } from "../../../lib/paths/path.ts";
import { pathTable } from "../../../lib/paths/path-table.ts";
import { kindInWords, protocolNames, reachedInWords } from "../../../lib/paths/words.ts";
import type { PathDrawing } from "../../../lib/results/path-drawing.ts";
import type { Palette } from "../../../lib/terminal/colour.ts";

const noNames: ReadonlyMap<string, string> = new Map();

/** A title, the hops with their lanes, and a sentence. */
export function pathText(drawing: PathDrawing, palette: Palette): string {
  const { agent, target, flows, hops, path, protocol, probes } = drawing;
  const table = pathTable({ target, hops, flows: flows.length, names: noNames, coarse: true }, palette);
  const verdict = path.reached() ? palette.good(reachedInWords(path)) : palette.bad(endOf(path));
  const { submitted, answered, lost } = probes;
  return [
    palette.bold(`${agent} to ${formatAddress(target)}: ${protocolNames[protocol]}, ${flowsText(drawing)}`),
    ...table,
    `  ${verdict}: ${submitted} probes submitted, ${answered} answered, ${lost} without answer`,
    "",
  ].join("\n");
}

function flowsText({ flows, protocol }: PathDrawing): string {
  const ports = [...new Set(flows.map(({ srcPort }) => srcPort))];
  const range = ports.length > 1 ? `${ports[0]}–${ports.at(-1)}` : `${ports[0]}`;
  const to = [...new Set(flows.map(({ dstPort }) => dstPort))];
  const target = protocol === "icmp" || protocol === "icmpv6" || to.length > 1 ? "" : ` to port ${to[0]}`;
  return `${flows.length} ${flows.length === 1 ? "flow" : "flows"} (${range})${target}`;
}

function endOf(path: Path): string {
  const refusal = path.answers().find(({ kind }) => kind.kind === "unreachable");
  if (refusal !== undefined) {
    return `Not reached: ${formatAddress(refusal.from)} says ${kindInWords(refusal.kind)}`;
  }
  return path.lastAnsweredTtl === 0
    ? "No answer"
    : `Not reached: no answer beyond hop ${path.lastAnsweredTtl}`;
}
