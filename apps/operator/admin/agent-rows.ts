/** An agent as an operator sees it, and its columns. */
import * as v from "valibot";
import { adminAgentAnswer } from "../../../lib/base/api/probing-admin.ts";
import type { Column } from "../../../lib/base/terminal/rows-output.ts";
import { agoInWords } from "../../../lib/base/terminal/time-words.ts";

export const agentSchema = v.object({
  ...adminAgentAnswer.entries,
  /** A new key, shown only in this response. */
  agent_key: v.optional(v.string()),
});

type Agent = v.InferOutput<typeof agentSchema>;

const keyColumn: Column<Agent> = {
  name: "agent_key",
  head: "agent key",
  value: ({ agent_key }) => agent_key ?? null,
};

export function agentColumns(nowMs: number): readonly Column<Agent>[] {
  return [
    { name: "id", head: "agent", value: ({ id }) => id },
    { name: "state", head: "state", value: stateOf },
    { name: "country", head: "country", value: ({ country }) => country },
    { name: "location", head: "location", value: ({ location }) => location },
    { name: "asn", head: "AS", align: "right", value: ({ asn }) => asn },
    list("tags", "tags", ({ tags }) => tags),
    list("granted_prefixes", "may send from", (agent) => agent.granted_prefixes),
    list("pending_prefixes", "waits for", (agent) => agent.pending_prefixes),
    list("keys", "keys", ({ keys }) =>
      keys.filter(({ revoked_at }) => revoked_at === null).map(({ key_id }) => key_id),
    ),
    {
      name: "last_seen_at",
      head: "seen",
      value: (agent) => agent.last_seen_at,
      cell: (agent) => agoInWords(agent.last_seen_at, nowMs),
    },
  ];
}

/** With the key, which is shown only once. */
export function madeColumns(nowMs: number): readonly Column<Agent>[] {
  return [...agentColumns(nowMs), keyColumn];
}

function stateOf({ retired_at, paused, held_by_host, online, healthy }: Agent): string {
  if (retired_at !== null) {
    return "retired";
  }
  if (paused) {
    return "paused";
  }
  if (!online) {
    return "offline";
  }
  if (held_by_host !== null) {
    return held_by_host;
  }
  return healthy === true ? "healthy" : "unhealthy";
}

function list(name: string, head: string, textsOf: (agent: Agent) => readonly string[]): Column<Agent> {
  return { name, head, value: textsOf, text: (agent) => textsOf(agent).join(" ") };
}
