/** What a release's probing gateway is given to keep, by its HTTP API, and how it is read back. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hashOf } from "../contract/peering-gateway/peering-home.ts";
import { type GatewayHome, probeText } from "../contract/probing-gateway/gateway-home.ts";

const json = { "content-type": "application/json" };

interface ProbingFacts {
  readonly users: readonly unknown[];
  readonly measurements: readonly unknown[];
  readonly agents: readonly unknown[];
  readonly blocked: readonly unknown[];
  readonly audit: readonly unknown[];
}

export interface ProbingContents {
  readonly agentKey: string;
  readonly facts: ProbingFacts;
}

/** One measurement that is complete, one that was cancelled: whatever else would have changed by the next release. */
export async function fillProbing(home: GatewayHome): Promise<ProbingContents> {
  const admin = adminKeyOf(home);
  const made = await call(home, admin, "POST", "/admin/agents", { id: "west" });
  const { agent_key: agentKey } = made as { agent_key: string };
  const agent = "/agent-api/agent/west";
  await call(home, agentKey, "POST", "/agent-api/agent/register", { id: "west", secret: "of the host" });
  const instance = { name: "main", instance_id: 1, src_ipv6_prefix: "2001:db8:1234::/48" };
  await call(home, agentKey, "POST", `${agent}/config`, [instance]);
  await call(home, agentKey, "POST", `${agent}/health`, { healthy: true, message: null });

  const complete = await submit(home, "anna", 40);
  const progress = { sent_probes: 40, is_complete: true, received_replies: 31 };
  await call(home, agentKey, "POST", `${agent}/measurement/${complete}/status`, progress);
  const cancelled = await submit(home, "anna", 2000);
  await call(home, "anna", "POST", `/api/measurements/${cancelled}/cancel`);
  await submit(home, "ben", 5);

  await call(home, admin, "POST", `/admin/users/${hashOf("ben")}/suspend`, { reason: "asked to" });
  await call(home, admin, "POST", "/admin/blocklist", { prefix: "192.0.2.0/24", reason: "asked for" });
  return { agentKey, facts: await probingFacts(home) };
}

/** What stays as it is for ever. */
export async function probingFacts(home: GatewayHome): Promise<ProbingFacts> {
  const admin = adminKeyOf(home);
  const list = async (caller: string, path: string, members: readonly string[]) => {
    const rows = (await call(home, caller, "GET", path)) as Record<string, unknown>[];
    return rows.map((row) => Object.fromEntries(members.map((name) => [name, row[name]])));
  };
  const ofMeasurement = ["measurement_id", "status", "probes", "total_sent_probes", "ended_at", "started_at"];
  const audit = await list(admin, "/admin/audit", [
    "audit_id",
    "at",
    "actor",
    "action",
    "subject",
    "details",
  ]);
  return {
    users: await list(admin, "/admin/users", ["user_hash", "user_id", "suspended_reason", "created_at"]),
    measurements: await list("anna", "/api/measurements", ofMeasurement),
    agents: await list(admin, "/admin/agents", ["id"]),
    blocked: await list(admin, "/admin/blocklist", ["prefix", "reason"]),
    audit: audit.reverse(),
  };
}

/** Its id. Throws when it is refused. */
export async function submit(home: GatewayHome, user: string, probes: number): Promise<string> {
  const response = await home.submit(user, probeText(probes), { type: "text/csv", query: "?agents=west" });
  return ((await checked(response)) as { id: string }).id;
}

export async function call(
  home: GatewayHome,
  bearer: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const init = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) };
  return checked(await home.ask(bearer, path, init));
}

async function checked(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`The probing gateway answers ${response.status}: ${text}`);
  }
  return text === "" ? null : JSON.parse(text);
}

function adminKeyOf({ folder }: GatewayHome): string {
  return readFileSync(join(folder, "state/admin.key"), "utf8").trim();
}
