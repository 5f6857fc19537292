/** A path from the store as a drawing. Pure. */
import { formatAddress } from "../../../lib/ip/address.ts";
import { hopsOf } from "../../../lib/paths/hops.ts";
import { pathTable } from "../../../lib/paths/path-table.ts";
import { kindInWords, protocolNames, reachedInWords } from "../../../lib/paths/words.ts";
import type { StoredPath } from "../../../lib/results/stored-path.ts";
import type { Palette } from "../../../lib/terminal/colour.ts";

const noNames: ReadonlyMap<string, string> = new Map();

/** A title, the hops with their lanes, and a sentence. */
export function pathText(stored: StoredPath, palette: Palette): string {
  const { agent, target, flows, firstTtl, path, protocol } = stored;
  const hops = hopsOf(path, firstTtl);
  const table = pathTable({ target, hops, flows: flows.length, names: noNames, coarse: true }, palette);
  const { sent, answered, lost } = path.totals();
  const verdict = path.reached() ? palette.good(reachedInWords(path)) : palette.bad(endOf(stored));
  return [
    palette.bold(`${agent} to ${formatAddress(target)}: ${protocolNames[protocol]}, ${flowsText(stored)}`),
    ...table,
    `  ${verdict}: ${sent} probes submitted, ${answered} answered, ${lost} without answer`,
    "",
  ].join("\n");
}

function flowsText({ flows, protocol }: StoredPath): string {
  const ports = [...new Set(flows.map(({ srcPort }) => srcPort))];
  const range = ports.length > 1 ? `${ports[0]}–${ports.at(-1)}` : `${ports[0]}`;
  const to = [...new Set(flows.map(({ dstPort }) => dstPort))];
  const target = protocol === "icmp" || protocol === "icmpv6" || to.length > 1 ? "" : ` to port ${to[0]}`;
  return `${flows.length} ${flows.length === 1 ? "flow" : "flows"} (${range})${target}`;
}

function endOf({ path }: StoredPath): string {
  const refusal = path.answers().find(({ kind }) => kind.kind === "unreachable");
  if (refusal !== undefined) {
    return `Not reached: ${formatAddress(refusal.from)} says ${kindInWords(refusal.kind)}`;
  }
  return path.lastAnsweredTtl === 0
    ? "No answer"
    : `Not reached: no answer beyond hop ${path.lastAnsweredTtl}`;
}
