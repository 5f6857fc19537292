/** `vantage agents`: the vantage points and their state. */

import * as v from "valibot";
import { type ExitCode, exitCodes } from "../../../lib/command/exit-codes.ts";
import { gatewayCommand } from "../../../lib/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../lib/command/gateway/session.ts";
import { choice, text } from "../../../lib/command/kinds.ts";
import { type Agent, agentSchema } from "../../../lib/gateway-client/answers.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";
import { agoInWords } from "../../../lib/terminal/time-words.ts";

const states = ["healthy", "unhealthy", "offline"] as const;
type State = (typeof states)[number];

interface Options {
  /** Words that must all be in the id, the location or a tag. */
  readonly words: readonly string[];
  /** Null = any. */
  readonly state: State | null;
}

export const command = gatewayCommand({
  about: "Words pick agents: each must be in the id, the location, the AS number or a tag.",
  options: { state: { kind: choice(states, "STATE"), short: "s", meaning: "only these" } },
  arguments: {
    words: {
      kind: text,
      placeholder: "WORD",
      many: true,
      meaning: "what the agents must have in their text",
    },
  },
  examples: ["vantage agents", "vantage agents -s healthy -o json europe | jq -r '.[].id'"],
  act: list,
});

async function list(session: GatewaySession, { words: given, state }: Options): Promise<ExitCode> {
  const words = given.map((word) => word.toLowerCase());
  const gateway = await session.open();
  const { signal } = session;
  const agents = await gateway.read("/api/agents", v.array(agentSchema), { anonymous: true, signal });
  const picked = agents.filter(
    (agent) => hasAll(agent, words) && (state === null || stateOf(agent) === state),
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
    { name: "id", head: "agent", value: ({ id }) => id },
    { name: "state", head: "state", value: stateOf },
    { name: "message", head: null, value: ({ health }) => health?.message ?? null },
    { name: "location", head: "location", value: ({ location }) => location },
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
function stateOf({ online, health }: Agent): State {
  if (online === false || health === null) {
    return "offline";
  }
  return health.healthy ? "healthy" : "unhealthy";
}

function hasAll({ id, location, asn, tags }: Agent, words: readonly string[]): boolean {
  const text = [id, location ?? "", `AS${asn ?? ""}`, ...(tags ?? [])].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}
