/** `vantage agents`: the vantage points and their state. */
import * as v from "valibot";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { agoInWords } from "../../../../lib/base/terminal/time-words.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { choice, kindOf, text, unfit } from "../../../../lib/command/command/kinds.ts";
import { type Agent, agentSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import {
  type AgentSelector,
  matchesSelector,
  readSelector,
} from "../../../../lib/measuring/probing/agent-selector.ts";

const states = ["healthy", "unhealthy", "paused", "offline"] as const;
type State = (typeof states)[number];

interface Options {
  /** Words that must all be in the id, the location or a tag. */
  readonly words: readonly string[];
  /** Null = any. */
  readonly state: State | null;
  /** Null = all. */
  readonly agent: AgentSelector | null;
}

const selector = kindOf("SELECTOR", "any", (given) => {
  const read = readSelector(given);
  if (read.kind === "selector" && read.selector.count === null) {
    return read.selector;
  }
  return unfit(read.kind === "bad" ? read.reason : "is not tag:NAME, as:NUMBER, country:CC or place:WORD");
});

export const command = gatewayCommand({
  about: `Words pick agents: each must be in the id, the location, the country, the AS number or a tag. By \
a selector you see whom vantage send -a and trace --from would choose from.`,
  options: {
    agent: {
      kind: selector,
      short: "a",
      meaning: "only those that match: tag:eu, as:64500, country:DE, place:oslo",
    },
    state: { kind: choice(states, "STATE"), short: "s", meaning: "only these" },
  },
  arguments: {
    words: {
      kind: text,
      placeholder: "WORD",
      many: true,
      meaning: "what the agents must have in their text",
    },
  },
  examples: [
    "vantage agents",
    "vantage agents -a tag:eu",
    "vantage agents -s healthy -o json europe | jq -r '.[].agent'",
  ],
  act: list,
});

async function list(
  session: GatewaySession,
  { words: given, state, agent: wanted }: Options,
): Promise<ExitCode> {
  const words = given.map((word) => word.toLowerCase());
  const gateway = await session.open();
  const { signal } = session;
  const agents = await gateway.read("/api/agents", v.array(agentSchema), { anonymous: true, signal });
  const picked = agents.filter(
    (agent) =>
      hasAll(agent, words) &&
      (state === null || stateOf(agent) === state) &&
      (wanted === null || matchesSelector({ ...agent, tags: agent.tags ?? [] }, wanted)),
  );
  session.printRows(columns(Date.now()), picked);
  if (picked.length === 0) {
    session.note(
      agents.length === 0 ? `${gateway.address} has no agents` : `none of ${agents.length} agents is meant`,
    );
  }
  return exitCodes.ok;
}

function columns(nowMs: number): readonly Column<Agent>[] {
  return [
    { name: "agent", head: "agent", value: ({ id }) => id },
    { name: "state", head: "state", value: stateOf, cell: (agent) => agent.held_by_host ?? stateOf(agent) },
    { name: "held_by_host", head: null, value: (agent) => agent.held_by_host },
    { name: "message", head: null, value: ({ health }) => health?.message ?? null },
    { name: "location", head: "location", value: ({ location }) => location },
    { name: "country", head: "country", value: ({ country }) => country },
    { name: "asn", head: "AS", align: "right", value: ({ asn }) => asn },
    {
      name: "tags",
      head: "tags",
      value: ({ tags }) => tags ?? [],
      text: ({ tags }) => (tags ?? []).join(" "),
    },
    prefixes("ipv4_prefixes", "IPv4", ({ src_ipv4_prefix }) => src_ipv4_prefix),
    prefixes("ipv6_prefixes", "IPv6", ({ src_ipv6_prefix }) => src_ipv6_prefix),
    { name: "probes_per_sec", head: "probes/s", align: "right", value: rateOf },
    {
      name: "last_seen",
      head: "seen",
      value: (a) => a.last_seen,
      cell: (a) => agoInWords(a.last_seen, nowMs),
    },
  ];
}

type Instance = NonNullable<Agent["config"]>[number];

function prefixes(
  name: string,
  head: string,
  prefixOf: (instance: Instance) => string | null,
): Column<Agent> {
  const value = ({ config }: Agent) => (config ?? []).flatMap((instance) => prefixOf(instance) || []);
  return { name, head, value, text: (agent) => value(agent).join(" ") };
}

/** Rate of the slowest instance, which limits a measurement on all of them. */
function rateOf({ config }: Agent): number | null {
  const rates = (config ?? []).flatMap(({ probing_rate }) => probing_rate ?? []);
  return rates.length === 0 ? null : Math.min(...rates);
}

/** A gateway that does not report `online` lists only online agents. */
function stateOf({ online, health, paused, held_by_host }: Agent): State {
  if (online === false || health === null) {
    return "offline";
  }
  if (paused === true || held_by_host !== null) {
    return "paused";
  }
  return health.healthy ? "healthy" : "unhealthy";
}

function hasAll({ id, location, country, asn, tags }: Agent, words: readonly string[]): boolean {
  const text = [id, location ?? "", country ?? "", `AS${asn ?? ""}`, ...(tags ?? [])]
    .join("\n")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
