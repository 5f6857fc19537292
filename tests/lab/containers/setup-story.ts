/**
 * The operator's part with the package alone: a platform by `vantage setup`, and an agent that it invites, in place of
 * a clone and the commands of docs/operate/compose.md. The exchange server and users follow that page as before.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";
import { LabError } from "../namespaces.ts";
import type { Place } from "./place.ts";
import { domain, platformAsn } from "./plan.ts";
import { addPeople, copyAuthority, playPage } from "./platform-story.ts";
import type { Table } from "./table.ts";

const compose = "/etc/vantage/compose";
const answers = `platform:
  domain: ${domain}
  issuer: keycloak
  broker: kafka
  services: containers
  certificates: local
  pool: ["2001:db8:1000::/40"]
  asn: ${platformAsn}
`;
/** What every command at the platform reads; the last is of this laboratory alone. */
export const setupFiles = ["compose.yaml", "compose.override.yaml", "lab.yaml"]
  .map((name) => `${compose}/${name}`)
  .join(":");
/** Before a command of Docker or Vantage at the platform. */
export const inCompose = `env COMPOSE_FILE=${setupFiles}`;
/** `vantage setup`: files are written, the doctor is not content yet. */
const notYet = 3;
const invitation = v.object({
  agent: v.object({
    enrolment_key: v.string(),
    broker_password: v.string(),
    broker_authority: v.string(),
    gateway_authority: v.string(),
  }),
});

export async function playPlatformBySetup(place: Place, table: Table): Promise<void> {
  const printed = await table.step("platform: vantage setup writes its files", () => setUp(place));
  await table.step("platform: by the command that it prints, until all is healthy", async () => {
    const up = printed.split("\n").find((line) => /^ {2}docker .* up /.test(line));
    if (up === undefined) {
      throw new LabError(`No command that starts it: ${printed}`);
    }
    await place.at("platform", `${inCompose} ${up.trim()}`);
  });
  await table.tryStep("platform: vantage setup again: nothing changes, no check fails", async () => {
    const said = await place.at("platform", `${inCompose} vantage setup`);
    const looks = said.match(/^(ok|warn|fail) +(issuer|admin key|broker|ready) /gm) ?? [];
    if (/^(new|updated|kept|removed|secrets) /m.test(said) || looks.length !== 7) {
      throw new LabError(said);
    }
  });
  await giveSecretsAway(place);
  await table.step("platform: people at the identity provider", () => addPeople(place));
}

export async function playInvitedAgent(place: Place, table: Table): Promise<void> {
  await table.step("agent: by what vantage setup invite prints, until it is healthy", async () => {
    await playPage(place, "agent", "On each machine");
    await playPage(place, "agent", "Without public names");
    copyAuthority(place, "agent");
    const agent = await invitationOf(place);
    const authority = readFileSync(join(place.home("platform"), "try.crt"), "utf8");
    if (agent.gateway_authority.trim() !== authority.trim()) {
      throw new LabError(`It names another authority: ${agent.gateway_authority}`);
    }
    const secrets = join(place.home("agent"), "deploy/secrets");
    mkdirSync(secrets, { recursive: true, mode: 0o700 });
    const files = {
      agent_enrolment_key: agent.enrolment_key,
      agent_kafka_password: agent.broker_password,
      "kafka_ca.pem": agent.broker_authority,
    };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(secrets, name), text, { mode: 0o444 });
    }
    await place.at("agent", "docker compose up --detach --wait");
  });
}

export async function invitationOf(place: Place) {
  const grants = "--grant 192.0.2.7/32 --grant 2001:db8:a::/48";
  const printed = await place.at("platform", `${inCompose} vantage setup invite west ${grants}`);
  return v.parse(invitation, parse(printed)).agent;
}

/** It is the image's. */
export async function installProgram(place: Place): Promise<void> {
  const image = "vantage:0.1.0";
  const copy = "docker cp program:/usr/local/bin/vantage /usr/local/bin/vantage";
  await place.at("platform", `docker create --name program ${image} && ${copy} && docker rm program`);
}

/** Resolves to what setup printed. */
async function setUp(place: Place): Promise<string> {
  await installProgram(place);
  writeFileSync(join(place.home("platform"), "answers.yaml"), answers);
  const { exitCode, stdout, stderr } = await place.tried("platform", "vantage setup --answers answers.yaml");
  if (exitCode !== notYet) {
    throw new LabError(`vantage setup ended with ${exitCode}: ${stdout}${stderr}`);
  }
  await place.at("platform", `cp lab.yaml ${compose}/`);
  return stdout;
}

/** Where the page's commands for other machines look for them. */
export async function giveSecretsAway(place: Place): Promise<void> {
  await place.at(
    "platform",
    "mkdir -p deploy && rm -rf deploy/secrets && cp -r /etc/vantage/secrets deploy/",
  );
  await place.at("platform", "rm -f try.crt && cp /etc/vantage/secrets/authority.pem try.crt");
  chmodSync(join(place.home("platform"), "try.crt"), 0o444);
}
