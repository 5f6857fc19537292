/**
 * The platform's machine is backed up, wiped, and restored from the backup, by the commands of docs/operate/backup.md:
 * a user has the same leases and results as before, and the agent measures again.
 */
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LabError } from "../namespaces.ts";
import { type Client, inClient } from "./client-story.ts";
import { clientWorks, platformWorks } from "./function.ts";
import type { Place } from "./place.ts";
import { giveSecretsAway, inCompose, installProgram, invitationOf } from "./setup-story.ts";
import type { Table } from "./table.ts";

const backup = "friday";
const project = "docker compose --project-directory /etc/vantage/compose";
const keycloak = "--username=postgres";

export async function playBackup(place: Place, table: Table, client: Client): Promise<void> {
  const run = (line: string) => place.at("platform", `${inCompose} ${line}`);
  let before = "";
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      "vantage backup, and Keycloak's accounts",
      async () => {
        before = await heldBy(place);
        const said = await run(`vantage backup ${backup}`);
        await run(`${project} exec -T postgres pg_dump ${keycloak} keycloak >${backup}/keycloak.sql`);
        table.figure(`backup: ${/^.*read back and whole$/m.exec(said)?.[0]}`);
      },
    ],
    ["the machine is wiped, and has Docker again", () => place.wipe("platform")],
    [
      "vantage restore of the files",
      async () => {
        await installProgram(place);
        await run(`vantage restore --only files ${backup}`);
      },
    ],
    [
      "databases start, and are restored",
      async () => {
        await run(`${project} up --detach --no-build --wait postgres clickhouse`);
        await run(`vantage restore --only data ${backup}`);
        await run(`${project} exec -T postgres psql --quiet ${keycloak} keycloak <${backup}/keycloak.sql`);
      },
    ],
    ["all is healthy", () => run(`${project} up --detach --no-build --wait --wait-timeout 900`)],
    [
      "the agent is invited again, as the broker is new",
      async () => {
        const { broker_password: password } = await invitationOf(place);
        const secret = join(place.home("agent"), "deploy/secrets/agent_kafka_password");
        rmSync(secret);
        writeFileSync(secret, password);
        chmodSync(secret, 0o444);
        await place.at("agent", "docker compose up --detach --wait --force-recreate agent");
      },
    ],
    [
      "leases and results are as before",
      async () => {
        const after = await heldBy(place);
        if (after !== before) {
          throw new LabError(`Before:\n${before}\nAfter:\n${after}`);
        }
        await giveSecretsAway(place);
      },
    ],
    ["measurements, sessions and routes work again", () => worksAgain(place, client)],
  ];
  for (const [what, work] of steps) {
    await table.step(`restored platform: ${what}`, work);
  }
}

/** A user's leases, and the replies of the newest measurements. */
async function heldBy(place: Place): Promise<string> {
  const leases = await inClient(place, ["peering", "prefix", "list", "-o", "csv"]);
  const listed = JSON.parse(await inClient(place, ["measurements", "-o", "json"])) as {
    measurement_id: string;
  }[];
  const replies = await Promise.all(
    listed.map(({ measurement_id: id }) => inClient(place, ["replies", id, "-v", "pings", "-o", "csv"])),
  );
  // Without the seconds that are left.
  return [leases.replaceAll(/,\d+(?=,(true|false)$)/gm, ""), ...replies].join("\n");
}

async function worksAgain(place: Place, client: Client): Promise<void> {
  await platformWorks(place);
  await clientWorks(place, client);
}
