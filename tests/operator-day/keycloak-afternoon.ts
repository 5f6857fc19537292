/**
 * The afternoon with Keycloak, from the archive: its unit and realm as `vantage setup` writes them, a person with the
 * role of operators, both gateways. In this process's own mount, network and process namespaces.
 */
import { join } from "node:path";
import { projectRoot } from "../deploy/compose-file.ts";
import { run } from "../lab/namespaces.ts";
import type { Machine } from "./machine.ts";
import { authority, domain, Operator } from "./operator.ts";
import { installPostgres } from "./programs.ts";
import { installProgram, makeOnlyMachine } from "./small-afternoon.ts";
import { playSteps } from "./timed-steps.ts";

const answers = `platform:
  domain: ${domain}
  issuer: keycloak
  certificates: local
  pool: ["2001:db8:1000::/40"]
`;
const discovery = `https://login.${domain}/realms/vantage/.well-known/openid-configuration`;

/** `keycloak`: the folder of its distribution. */
export async function playKeycloakAfternoon(
  folder: string,
  archive: string,
  keycloak: string,
): Promise<void> {
  const machine = await makeOnlyMachine(folder, ["probing", "peering", "login", "watch"]);
  const operator = new Operator(machine);
  const trusting = { variables: [authority] };
  const health = ["vantage", "health", "--wait", "600", discovery];
  await playSteps(
    [
      ["install the program, PostgreSQL, Keycloak", () => install(machine, archive, keycloak)],
      ["vantage setup: the platform", () => operator.setUp(answers)],
      ["make the databases, start the services", () => start(machine, operator)],
      ["Keycloak answers by its public name", async () => void (await machine.run(health, trusting))],
      ["vantage setup again: nothing changes, nothing fails in vantage doctor", () => operator.setUpAgain()],
      ["log in over TLS, as an operator", () => logIn(machine, operator)],
      ["an operator's command; a lease", () => useBoth(machine)],
    ],
    [machine],
  );
}

async function install(machine: Machine, archive: string, keycloak: string): Promise<void> {
  await installProgram(machine, archive);
  await installPostgres(machine);
  await machine.shell("mkdir -p /opt");
  await run(["cp", "--archive", keycloak, machine.path("opt", "keycloak")]);
}

async function start(machine: Machine, operator: Operator): Promise<void> {
  await machine.shell("chown -R keycloak: /opt/keycloak");
  await operator.start();
}

async function logIn(machine: Machine, operator: Operator): Promise<void> {
  const person = [process.execPath, join(projectRoot, "tests/operator-day/keycloak-person.ts")];
  const password = await machine.run(["cat", "/etc/vantage/secrets/keycloak_admin_password"]);
  await machine.run([...person, "make", password.trim()]);
  await operator.logIn(async (url) => {
    await machine.run([...person, "confirm", url], { variables: [authority] });
  });
}

async function useBoth(machine: Machine): Promise<void> {
  const trusting = { variables: [authority] };
  const users = await machine.run(["vantage", "admin", "users", "list", "-o", "csv"], trusting);
  const lease = await machine.run(["vantage", "peering", "prefix", "request", "1"], trusting);
  if (!users.includes("anna") || !lease.includes("2001:db8:1000::/48")) {
    throw new Error(`A role, or a lease, is missing:\n${users}${lease}`);
  }
}
