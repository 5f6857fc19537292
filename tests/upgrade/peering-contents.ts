/** What a release's peering gateway is given to keep, by its HTTP API, and how it is read back. */
import { inPath, type PeeringHome } from "../contract/peering-gateway/peering-home.ts";

interface PeeringFacts {
  readonly asns: readonly unknown[];
  readonly leases: Readonly<Record<string, readonly unknown[]>>;
  readonly serviceKeys: readonly unknown[];
  readonly audit: readonly unknown[];
}

export interface PeeringContents {
  readonly serviceKey: string;
  readonly facts: PeeringFacts;
}

const users = ["anna", "ben", "carla"] as const;

/** A lease that was given back, one that is live, a user without a lease, a suspended one. */
export async function fillPeering(home: PeeringHome): Promise<PeeringContents> {
  const released = await home.lease("anna", 2);
  await checked(home.ask("anna", "DELETE", `/api/user/prefix/${inPath(released)}`));
  await home.lease("ben", 24);
  const { asn } = await checked(home.ask("carla", "POST", "/api/user/asn"));
  const { mappings } = await checked(home.service("/service/mappings"));
  const carla = mappings.find((one: { asn: number }) => one.asn === asn);
  await checked(home.admin("POST", `/admin/users/${carla.user_hash}/suspend`, { reason: "asked to" }));
  const { key: serviceKey } = await checked(
    home.admin("POST", "/admin/service-keys", { name: "exchange-1" }),
  );
  return { serviceKey, facts: await peeringFacts(home) };
}

/** What stays as it is for ever. */
export async function peeringFacts(home: PeeringHome): Promise<PeeringFacts> {
  const { mappings } = await checked(home.service("/service/mappings"));
  const leases: Record<string, unknown[]> = {};
  for (const user of users) {
    const rows = await checked(home.ask(user, "GET", "/api/user/leases"));
    leases[user] = rows.map((row: Record<string, unknown>) =>
      picked(row, ["prefix", "start_time", "end_time"]),
    );
  }
  const audit = await checked(home.admin("GET", "/admin/audit?limit=1000"));
  const keys = await checked(home.admin("GET", "/admin/service-keys"));
  return {
    asns: mappings.map((row: Record<string, unknown>) => picked(row, ["user_hash", "asn", "suspended"])),
    leases,
    serviceKeys: keys.map((row: Record<string, unknown>) => picked(row, ["name"])),
    audit: audit.reverse(),
  };
}

function picked(row: Record<string, unknown>, members: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(members.map((name) => [name, row[name]]));
}

async function checked(asked: ReturnType<PeeringHome["send"]>) {
  const { status, body } = await asked;
  if (status >= 300) {
    throw new Error(`The peering gateway answers ${status}: ${JSON.stringify(body)}`);
  }
  return body;
}
