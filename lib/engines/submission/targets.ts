/**
 * Which agents probe, and from which source: `agent`, `agent:192.0.2.1`, `agent:[2001:db8::1]`, in a comma list.
 *
 * Agent ids have no `:` `,` `[` `]` and no white space. A record names each agent once, in a header, so a second
 * source of one agent goes into records of another wave.
 */
import { Failure } from "../../base/failure/failure.ts";
import { withoutPassword } from "../../base/failure/without-password.ts";
import { type AgentSelector, readSelector, selectorForms } from "../../measuring/probing/agent-selector.ts";
import { isSafeName } from "../../measuring/probing/safe-name.ts";
import { type Address, familyOf, formatAddress } from "../../net/ip/address.ts";
import { because, readAddress } from "../../net/ip/typed-address.ts";
import { agentIdBytesMax } from "../../net/wire/limits.ts";
import { targetsMax } from "./limits.ts";

export interface Target {
  readonly agent: string;
  /** Null = the agent chooses. */
  readonly source: Address | null;
}

/** A target, or agents that a gateway chooses by what they are. */
export type AgentChoice = Target | AgentSelector;

const idShape = /^[^:,[\]\s\p{Cc}]+$/u;

/**
 * Reads targets for a broker without a gateway, so selectors are refused. Throws Failure `submission`
 * `targets`, which names the entry and what would be right.
 */
export function parseTargets(text: string): Target[] {
  return parseList(text, (entry) => {
    if (readSelector(entry).kind === "selector") {
      throw wrong(`${quoted(entry)} chooses agents at a gateway: name them here, or send with vantage send`);
    }
    return parseTarget(entry, text);
  });
}

/** Reads targets and selectors, for a gateway. Throws like `parseTargets`. */
export function parseChoices(text: string): AgentChoice[] {
  return parseList(text, (entry) => {
    const read = readSelector(entry);
    switch (read.kind) {
      case "selector":
        return read.selector;
      case "bad":
        throw wrong(`${quoted(entry)} ${read.reason}`);
      case "none":
        return parseTarget(entry, text, `, and agents that are chosen as ${selectorForms}`);
    }
  });
}

/** As written on the command line. */
export function formatTarget(requested: AgentChoice): string {
  if ("text" in requested) {
    return requested.text;
  }
  const { agent, source } = requested;
  if (source === null) {
    return agent;
  }
  const address = formatAddress(source);
  return familyOf(source) === 4 ? `${agent}:${address}` : `${agent}:[${address}]`;
}

/** Splits targets into waves, as many as the most sources of one agent; no wave names an agent twice. */
export function wavesOf(targets: readonly Target[]): Target[][] {
  const waves: Target[][] = [];
  const sources = new Map<string, number>();
  for (const target of targets) {
    const wave = sources.get(target.agent) ?? 0;
    sources.set(target.agent, wave + 1);
    waves[wave] = [...(waves[wave] ?? []), target];
  }
  return waves;
}

function parseList<Entry extends AgentChoice>(text: string, parse: (entry: string) => Entry): Entry[] {
  const entries = text.split(",").map((entry) => entry.trim());
  if (entries.length > targetsMax) {
    throw wrong(`${entries.length} targets are more than ${targetsMax}: split the measurement`);
  }
  const parsed = entries.map(parse);
  const seen = new Set<string>();
  for (const name of parsed.map(formatTarget)) {
    if (seen.has(name)) {
      throw wrong(`Target ${name} is given twice`);
    }
    seen.add(name);
  }
  return parsed;
}

/** `further`: what else an entry with a colon may be. */
function parseTarget(entry: string, list: string, further = ""): Target {
  if (entry === "") {
    throw wrong(`There is an empty target in ${quoted(list)}: name agents as agent or agent:address`);
  }
  const colon = entry.indexOf(":");
  const agent = colon < 0 ? entry : entry.slice(0, colon);
  if (!idShape.test(agent)) {
    throw wrong(
      `${quoted(entry)} is not a target: an agent id has no colon, comma, bracket, space or control character`,
    );
  }
  if (!isSafeName(agent)) {
    throw wrong(`${quoted(agent)} is not a valid agent name`);
  }
  if (Buffer.byteLength(agent) > agentIdBytesMax) {
    throw wrong(`Agent id ${quoted(agent)} has more than ${agentIdBytesMax} bytes`);
  }
  return { agent, source: colon < 0 ? null : parseSource(entry, entry.slice(colon + 1), further) };
}

function parseSource(entry: string, text: string, further: string): Address {
  const bracketed = /^\[(.*)\]$/.exec(text)?.[1];
  const read = readAddress(bracketed ?? text);
  const advice = "write sources as agent:192.0.2.1 or agent:[2001:db8::1]";
  if (!read.ok) {
    const claim = "is not an address";
    const reason = /^is (not|empty)/.test(read.reason) ? claim : because(claim, read.reason);
    throw wrong(`${quoted(entry)} is not a target: ${quoted(text)} ${reason}; ${advice}${further}`);
  }
  const source = read.value;
  const isMapped = familyOf(source) === 4 && text.includes(":");
  if (!isMapped && (familyOf(source) === 6) !== (bracketed !== undefined)) {
    const family =
      familyOf(source) === 6 ? "an IPv6 source needs brackets" : "an IPv4 source has no brackets";
    throw wrong(`${quoted(entry)} is not a target: ${family}; ${advice}`);
  }
  return source;
}

function wrong(message: string): Failure<"submission"> {
  return new Failure("submission", "targets", message);
}

/** In quotes, cut to a readable length, without terminal control characters. */
function quoted(text: string): string {
  const known = withoutPassword(text);
  const cut = known.slice(0, 60).replaceAll(/[^ -~]/g, "?");
  return `"${cut}${known.length > 60 ? "…" : ""}"`;
}
