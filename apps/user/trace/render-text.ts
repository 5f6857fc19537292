/** A path as text: a line for each router of each hop, lanes for its branches, a sentence at the end. Pure. */
import type { AddressNotes } from "../../../lib/answers/enrich/address-context.ts";
import { asPathLines } from "../../../lib/answers/enrich/path-context.ts";
import { routerNotes } from "../../../lib/answers/enrich/router-notes.ts";
import type { Palette } from "../../../lib/base/terminal/colour.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import { hopsOf } from "../../../lib/measuring/paths/hops.ts";
import type { HopMtu } from "../../../lib/measuring/paths/mtu-search.ts";
import { mtuLines } from "../../../lib/measuring/paths/mtu-text.ts";
import type { Path } from "../../../lib/measuring/paths/path.ts";
import { pathTable } from "../../../lib/measuring/paths/path-table.ts";
import { probeTotalsText } from "../../../lib/measuring/paths/probe-totals.ts";
import { kindInWords, reachedInWords } from "../../../lib/measuring/paths/words.ts";
import { type Address, familyOf, formatAddress } from "../../../lib/net/ip/address.ts";
import { isRefusal } from "../../../lib/net/packet/answer-kind.ts";
import { protocolNames } from "../../../lib/net/packet/probe.ts";
import { silentHopsMax } from "./limits.ts";
import type { Options } from "./options.ts";
import type { LeftOut } from "./outstanding.ts";
import type { Departure, NamedTarget } from "./target.ts";

export interface TraceView {
  readonly target: TracedTarget;
  /** The agent that sends the probes; absent for this machine. */
  readonly agent?: string;
  readonly path: Path;
  readonly options: Options;
  /** What is known of its addresses, as far as it was looked up. */
  readonly notes: AddressNotes;
  readonly elapsedMs: number;
  readonly state: TraceState;
  readonly leftOut: LeftOut;
  /**
   * Replies that came more than a wrap of the time code late: counted over all targets, as they cannot be assigned to
   * one.
   */
  readonly staleReplies: number;
  /** What the path carries, if asked for. */
  readonly mtu?: readonly HopMtu[];
  /** Why probes could not be sent, if so. */
  readonly failures: readonly string[];
}

/** An agent's source is not known before the first answer, and its interface never. */
interface TracedTarget extends NamedTarget {
  readonly source: Address | null;
  readonly interfaceName: string | null;
  readonly otherDepartures?: readonly Departure[];
}

/** Before the path was complete: interrupted = by the user; cut off = the gateway's measurement ended. */
export type TraceState = "tracing" | "complete" | "interrupted" | "cut off";

export function renderText(view: TraceView, palette: Palette): string {
  const { path, options, target, notes } = view;
  const hops = hopsOf(path, options.firstTtl);
  const table = pathTable(
    {
      ...{ target: target.address, hops, flows: options.flows, isStored: view.agent !== undefined },
      trafficClass: options.shape.trafficClass ?? 0,
      notes: routerNotes(notes),
    },
    palette,
  );
  const parts = [palette.bold(title(view)), ...table];
  const last = view.state === "tracing" ? palette.dim("  tracing …") : ending(view, palette);
  const date = notes.date === null ? [] : [palette.dim(`  What is known of routers: set of ${notes.date}`)];
  const asPaths = asPathLines(notes.asPaths, options.flows).map((line) => `  ${visible(line)}`);
  const mtu = view.mtu === undefined ? [] : mtuLines(view.mtu).map((line) => `  ${line}`);
  return [...parts, last, ...mtu, ...asPaths, ...date, ""].join("\n");
}

function title({ target, options, agent }: TraceView): string {
  const address = formatAddress(target.address);
  const who = target.name === address ? address : `${target.name} (${address})`;
  const ports = options.protocol === "icmp" ? "" : ` to port ${options.dstPort}`;
  const last = options.srcPort + options.flows - 1;
  const flows =
    options.flows === 1
      ? `1 flow (${options.srcPort})`
      : `${options.flows} flows (${options.srcPort}–${last})`;
  return `${who}: ${protocolNames[target.protocol]}${ports}, ${flows}, from ${originOf(target, agent)}`;
}

function originOf({ source, interfaceName, otherDepartures = [] }: TracedTarget, agent: string | undefined) {
  const address = source === null ? null : formatAddress(source);
  if (agent === undefined) {
    const others = otherDepartures.map((other) => `${formatAddress(other.source)} by ${other.interfaceName}`);
    return [`${address} by ${interfaceName}`, ...others].join(", ");
  }
  const name = visible(agent);
  return address === null ? name : `${name} (${address})`;
}

function ending(view: TraceView, palette: Palette): string {
  const others = [
    [view.leftOut.forged, "forged replies left out"],
    [view.leftOut.late, "late or repeated replies left out"],
  ] as const;
  const more = others.map(([count, what]) => (count === 0 ? "" : `; ${count} ${what}`)).join("");
  const seconds = (view.elapsedMs / 1000).toFixed(1);
  return `  ${verdict(view, palette)}: ${probeTotalsText(view.path.totals())}${more}; ${seconds} s`;
}

function verdict(view: TraceView, palette: Palette): string {
  if (view.state === "interrupted") {
    return palette.bad("Interrupted");
  }
  if (view.state === "cut off") {
    return palette.bad("Cut off: the measurement ended before this path was complete");
  }
  return view.path.reached() ? palette.good(reachedInWords(view.path.ends())) : palette.bad(whyNot(view));
}

function whyNot({ path, failures, options, target, agent }: TraceView): string {
  const refusal = path.answers().find(({ kind }) => isRefusal(kind));
  if (refusal !== undefined) {
    return `Not reached: ${formatAddress(refusal.from)} says ${kindInWords(refusal.kind)}`;
  }
  if (path.totals().sent === 0 && failures.length > 0) {
    return `Not reached: ${failures.at(-1)}`;
  }
  if (path.lastAnsweredTtl + silentHopsMax > options.maxTtl && path.lastAnsweredTtl > 0) {
    return `Not reached within ${options.maxTtl} hops`;
  }
  const family = familyOf(target.address) === 4 ? "IPv4" : "IPv6";
  return path.lastAnsweredTtl === 0
    ? `Not reached: no reply; does ${family} work ${agent === undefined ? "here" : `at ${visible(agent)}`}?`
    : `Not reached: no reply beyond hop ${path.lastAnsweredTtl}`;
}
