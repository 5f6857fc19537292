/** Health means function: what runs and is of no use is not healthy. The engine's own record of each check is read. */
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { LabError } from "../namespaces.ts";
import type { Place } from "./place.ts";
import { internet, originsPort } from "./plan.ts";
import type { Table } from "./table.ts";

/** The engine keeps the last five, at the start one every two seconds. */
const checksKept = 5;

export async function playHealth(place: Place, table: Table): Promise<void> {
  await table.tryStep("exchange: rtr is not healthy without a route origin, and is with one", async () => {
    await place.at(
      "exchange",
      `RPKI_FEED=http://${internet}:${originsPort}/none docker compose up --detach rtr`,
    );
    await isNeverHealthy(place, "exchange", "rtr");
    await place.at("exchange", "docker compose up --detach --wait rtr");
  });
  await table.tryStep("agent: it is not healthy while the broker refuses it, and is afterwards", async () => {
    const secret = join(place.home("agent"), "deploy/secrets/agent_kafka_password");
    const password = readFileSync(secret);
    replace(secret, "not the password");
    await place.at("agent", "docker compose up --detach --force-recreate agent");
    await isNeverHealthy(place, "agent", "agent");
    replace(secret, password);
    await place.at("agent", "docker compose up --detach --wait --force-recreate agent");
  });
}

async function isNeverHealthy(place: Place, name: "exchange" | "agent", service: string): Promise<void> {
  const inspect = `docker inspect --format '{{json .State.Health.Log}}' $(docker compose ps --quiet ${service})`;
  const codes = await until(`${checksKept} checks of ${service}`, async () => {
    const checks = (JSON.parse(await place.at(name, inspect)) ?? []) as { ExitCode: number }[];
    return checks.length >= checksKept && checks.map(({ ExitCode }) => ExitCode);
  });
  if (codes.includes(0)) {
    throw new LabError(`${service} was healthy: its checks ended with ${codes.join(", ")}`);
  }
}

/** In a new file, as an editor writes one: the old one is the container's. */
function replace(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.new`, content);
  chmodSync(`${path}.new`, 0o444);
  rmSync(path);
  cpSync(`${path}.new`, path);
  rmSync(`${path}.new`);
}
