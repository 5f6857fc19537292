/**
 * Agents selected by property: `tag:eu`, `as:64500`, `country:DE`, `place:oslo`; or a number of them at
 * random: `3@tag:eu`, `5@any`. Pure: randomness comes as an argument.
 *
 * A selector cannot be mistaken for an id: a gateway's agent ids contain neither a colon nor an at sign.
 * `tag:192.0.2.1` is the agent `tag` with a source, as before selectors existed.
 */
import { parseAddress } from "../../net/ip/address.ts";
import { selectedAgentsMax } from "./limits.ts";

export interface AgentSelector {
  /** As typed. */
  readonly text: string;
  /** How many of the matching agents to draw at random; null = all of them. */
  readonly count: number | null;
  readonly kind: SelectorKind;
  /** The value to match, in lower case; empty for `any`. */
  readonly value: string;
}

type SelectorKind = "any" | "tag" | "as" | "country" | "place";

/** An agent's properties, as stated by its operator. */
export interface SelectableAgent {
  readonly id: string;
  readonly tags: readonly string[];
  readonly asn: number | null;
  /** ISO 3166-1, two capital letters. */
  readonly country: string | null;
  /** For people: `Oslo, rack 4`. */
  readonly location: string | null;
}

type ReadSelector =
  | { readonly kind: "selector"; readonly selector: AgentSelector }
  /** The message follows the entry: `"as:x" is not …`. */
  | { readonly kind: "bad"; readonly reason: string }
  /** The name of an agent, perhaps with a source. */
  | { readonly kind: "none" };

/** How selectors are written, for messages and help. */
export const selectorForms =
  "tag:NAME, as:NUMBER, country:CC, place:WORD, or some by chance: 3@tag:NAME, 5@any";

const none: ReadSelector = { kind: "none" };

export function readSelector(text: string): ReadSelector {
  const [, digits, rest = text] = /^(\d{1,9})@(.*)$/su.exec(text) ?? [];
  const count = digits === undefined ? null : Number(digits);
  if (count !== null && (count < 1 || count > selectedAgentsMax)) {
    return bad(`selects ${count} agents: choose 1 to ${selectedAgentsMax}`);
  }
  if (rest === "any") {
    return count === null ? none : good({ text, count, kind: "any", value: "" });
  }
  const [, name = "", value = ""] = /^([a-z]+):(.*)$/su.exec(rest) ?? [];
  if (!isKind(name) || name === "any" || (count === null && isSource(value))) {
    return count === null ? none : bad(`selects no agents: write ${selectorForms}`);
  }
  const reason = faultOf(name, value);
  return reason === null
    ? good({ text, count, kind: name, value: value.toLowerCase().replace(/^as(?=\d)/, "") })
    : bad(reason);
}

export function matchesSelector(agent: SelectableAgent, { kind, value }: AgentSelector): boolean {
  switch (kind) {
    case "any":
      return true;
    case "tag":
      return agent.tags.some((tag) => tag.toLowerCase() === value);
    case "as":
      return agent.asn === Number(value);
    case "country":
      return agent.country?.toLowerCase() === value;
    case "place":
      return agent.location?.toLowerCase().includes(value) === true;
  }
}

/** The values of this kind among these agents, the most frequent first; empty for `any`. */
export function selectableValues(agents: readonly SelectableAgent[], { kind }: AgentSelector): string[] {
  const counts = new Map<string, number>();
  for (const value of agents.flatMap((agent) => valuesOf(agent, kind))) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return byCount.map(([value]) => value);
}

/**
 * Draws `count` items at random, each set of that size equally likely, in the order drawn; all items if there are no
 * more. `below(n)` returns a whole number from 0 to n - 1, each equally likely.
 */
export function drawn<Item>(items: readonly Item[], count: number, below: (n: number) => number): Item[] {
  const rest = [...items];
  const chosen: Item[] = [];
  while (chosen.length < count && rest.length > 0) {
    chosen.push(...rest.splice(below(rest.length), 1));
  }
  return chosen;
}

function valuesOf({ tags, asn, country, location }: SelectableAgent, kind: SelectorKind): readonly string[] {
  switch (kind) {
    case "any":
      return [];
    case "tag":
      return tags;
    case "as":
      return asn === null ? [] : [String(asn)];
    case "country":
      return country === null ? [] : [country];
    case "place":
      return location === null ? [] : [location];
  }
}

function isKind(name: string): name is SelectorKind {
  return ["any", "tag", "as", "country", "place"].includes(name);
}

/** `agent:192.0.2.1`, `agent:[2001:db8::1]`. */
function isSource(value: string): boolean {
  return value.startsWith("[") || parseAddress(value) !== null;
}

function faultOf(kind: SelectorKind, value: string): string | null {
  if (kind === "as") {
    const asn = /^(?:as)?(\d{1,10})$/i.exec(value)?.[1];
    return asn !== undefined && Number(asn) < 2 ** 32 ? null : "is not an AS number: write as:64500";
  }
  if (kind === "country") {
    return /^[a-z]{2}$/i.test(value) ? null : "is not a country of two letters: write country:DE";
  }
  return /[^\s,[\]\p{Cc}]/u.test(value) ? null : `has nothing after the colon: write ${kind}:NAME`;
}

function good(selector: AgentSelector): ReadSelector {
  return { kind: "selector", selector };
}

function bad(reason: string): ReadSelector {
  return { kind: "bad", reason };
}
