/** Agents of a bench at a gateway: `agent-0` and so on, each with a key and an instance of its own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const agentPrefix = "agent-";
const together = 16;

export function agentPath(n: number): string {
  return `/agent-api/agent/${agentPrefix}${n}`;
}

/** Their keys. `folder`: the rig's. Rejects when one is refused. */
export async function enrol(
  url: string,
  { folder, agents }: { readonly folder: string; readonly agents: number },
): Promise<string[]> {
  const admin = readFileSync(join(folder, "state/admin.key"), "utf8").trim();
  const keys: string[] = [];
  for (let n = 0; n < agents; n += together) {
    const some = Array.from({ length: Math.min(together, agents - n) }, (_, i) =>
      enrolOne(url, admin, n + i),
    );
    keys.push(...(await Promise.all(some)));
  }
  return keys;
}

async function enrolOne(url: string, admin: string, n: number): Promise<string> {
  const id = `${agentPrefix}${n}`;
  const { agent_key: key = "" } = await post(`${url}admin/agents`, admin, {
    ...{ id, granted_prefixes: ["192.0.2.0/24"] },
  });
  await post(`${url}agent-api/agent/register`, key, { id, secret: `of ${id}` });
  const instance = { name: "main", instance_id: 1, src_ipv4_prefix: "192.0.2.0/24" };
  await post(`${url}agent-api/agent/${id}/config`, key, [instance]);
  return key;
}

async function post(url: string, key: string, body: unknown): Promise<{ readonly agent_key?: string }> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) {
    throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
  }
  return (await response.json()) as { agent_key?: string };
}
