/**
 * The operator's part: a platform, an exchange server and an agent, each by the commands of docs/operate/compose.md.
 */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { runToEnd } from "../../run/said.ts";
import { LabError } from "../namespaces.ts";
import type { Place } from "./place.ts";
import { people } from "./plan.ts";
import type { Table } from "./table.ts";

export async function playPlatform(place: Place, table: Table): Promise<void> {
  await table.step("platform: by the page, until all is healthy", async () => {
    await playPage(place, "platform", "On each machine");
    await playPage(place, "platform", "Without public names", ["authority"]);
    await playPage(place, "platform", "The platform");
  });
  await table.step("platform: people at the identity provider", () => addPeople(place));
}

export async function playExchange(place: Place, table: Table): Promise<void> {
  await table.step("exchange: by the page, until all is healthy", async () => {
    await playPage(place, "exchange", "On each machine");
    await playPage(place, "exchange", "Without public names");
    copyAuthority(place, "exchange");
    await using page = place.page("exchange", "An exchange server");
    await page.runNext();
    give(place, "exchange", {
      exchange_vpn_key: "exchange_vpn_key",
      headscale_api_key: "headscale_api_key",
      peering_service_key: "deploy/secrets/peering_service_key",
    });
    await page.runAll();
  });
  await table.step("exchange: a session with the upstream", () =>
    until("the session", async () => (await place.upstream.sessions()).some(({ isUp }) => isUp)),
  );
}

export async function playAgent(place: Place, table: Table): Promise<void> {
  await table.step("agent: by the page, until it is healthy", async () => {
    await playPage(place, "agent", "On each machine");
    await playPage(place, "agent", "Without public names");
    copyAuthority(place, "agent");
    await using page = place.page("agent", "An agent");
    const answer = await page.runNext();
    const [, key] = /"enrolment_key": ?"([^"]+)"/.exec(answer) ?? [];
    if (key === undefined) {
      throw new LabError(`No enrolment key in: ${answer.slice(-1000)}`);
    }
    writeFileSync(join(place.home("platform"), "agent_enrolment_key"), key);
    give(place, "agent", {
      agent_enrolment_key: "agent_enrolment_key",
      agent_kafka_password: "agent_kafka_password",
      "kafka_ca.pem": "deploy/secrets/kafka_ca.pem",
    });
    await page.runAll();
  });
}

export async function playPage(
  place: Place,
  name: "platform" | "exchange" | "agent",
  heading: string,
  holds: readonly string[] = [],
): Promise<void> {
  await using page = place.page(name, heading, holds);
  await page.runAll();
}

/** As `scp` would: files of the platform's clone to another machine's secrets, readable for the services. */
function give(place: Place, to: "exchange" | "agent", files: Readonly<Record<string, string>>): void {
  const secrets = join(place.home(to), "deploy/secrets");
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  for (const [name, from] of Object.entries(files)) {
    cpSync(join(place.home("platform"), from), join(secrets, name));
    chmodSync(join(secrets, name), 0o444);
  }
}

export function copyAuthority(place: Place, to: "exchange" | "agent" | "user" | "second"): void {
  cpSync(join(place.home("platform"), "try.crt"), join(place.home(to), "try.crt"));
}

/** As an administrator does in Keycloak's pages, by the same API, through the port that the page names. */
export async function addPeople(place: Place): Promise<void> {
  const curl = (...words: string[]) => place.at("platform", ["curl", "--fail-with-body", "-sS", ...words]);
  const server = "http://127.0.0.1:8081";
  const adminPassword = await place.at("platform", ["cat", "deploy/secrets/keycloak_admin_password"]);
  const said = await curl(
    ...["-d", "grant_type=password", "-d", "client_id=admin-cli", "-d", "username=admin"],
    ...["--data-urlencode", `password=${adminPassword.trim()}`],
    `${server}/realms/master/protocol/openid-connect/token`,
  );
  const { access_token: token } = JSON.parse(said) as { access_token: string };
  for (const { name, password } of Object.values(people)) {
    const person = {
      ...{ username: name, enabled: true, email: `${name}@example.org`, emailVerified: true },
      ...{ firstName: name, lastName: "Doe", credentials: [{ type: "password", value: password }] },
    };
    const headers = ["-H", `Authorization: Bearer ${token}`, "-H", "Content-Type: application/json"];
    await curl(...headers, "-d", JSON.stringify(person), `${server}/admin/realms/vantage/users`);
  }
}

/** A person at a machine opens a link in a browser and logs in. */
export async function logIn(place: Place, name: "user" | "second", url: string): Promise<void> {
  const { machines, folder } = place;
  const { name: who, password } = people[name];
  const command = [join(folder, "bun"), join(folder, "person.js"), url, who, password];
  const env = { NODE_EXTRA_CA_CERTS: join(place.home("platform"), "try.crt"), PATH: "/usr/bin:/bin" };
  const { exitCode, stdout, stderr } = await runToEnd(machines[name].enter(command), { env });
  if (exitCode !== 0) {
    throw new LabError(`${who} cannot log in at ${url}: ${(stdout + stderr).slice(-1500)}`);
  }
}
