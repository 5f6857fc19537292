/**
 * The small afternoon, from the archive: everything on one machine with embedded engines, an agent included. In this
 * process's own mount, network and process namespaces.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { until } from "../exchange/until.ts";
import { run } from "../lab/namespaces.ts";
import { Machine } from "./machine.ts";
import { addresses, connect } from "./network.ts";
import { allowDocumentation, domain, Operator } from "./operator.ts";
import { installIssuer } from "./programs.ts";
import { playSteps } from "./timed-steps.ts";

const answers = `platform:
  domain: ${domain}
  issuer: http://127.0.0.1:8095
  audience: urn:vantage
  database: embedded
  certificates: local
`;

/** `folder` is empty, on a file system in memory. */
export async function playSmallAfternoon(folder: string, archive: string): Promise<void> {
  const machine = await makeOnlyMachine(folder, ["probing", "watch"]);
  const operator = new Operator(machine);
  await playSteps(
    [
      ["unpack the archive, install its program", () => install(machine, archive)],
      ["vantage setup: the platform", () => operator.setUp(answers)],
      ["start the services", () => operator.start()],
      ["vantage setup again: nothing changes, nothing fails in vantage doctor", () => operator.setUpAgain()],
      ["another answer: the files that change, the steps again", () => operator.changeContact()],
      ["an agent on the same machine", () => addAgent(machine)],
      ["log in over TLS, ping from the agent", () => measure(operator)],
    ],
    [machine],
  );
}

/** With these names below the domain. */
async function makeOnlyMachine(folder: string, names: readonly string[]): Promise<Machine> {
  await connect();
  mkdirSync(join(folder, "all"));
  const machine = await Machine.make(join(folder, "all"), null);
  machine.nameHosts([`${addresses.here} ${names.map((name) => `${name}.${domain}`).join(" ")}`]);
  return machine;
}

async function install(machine: Machine, archive: string): Promise<void> {
  await installProgram(machine, archive);
  machine.write("/etc/platform.yaml", answers);
  // Units do not see what is in somebody's home.
  await machine.shell("~/vantage/vantage setup --answers /etc/platform.yaml", { exits: 1 });
  await installIssuer(machine);
}

/** And folders that Debian's packages of Caddy and Prometheus have. */
async function installProgram(machine: Machine, archive: string): Promise<void> {
  await machine.shell("mkdir -p ~/vantage /usr/local/bin");
  await run(["tar", "-xzf", archive, "-C", machine.path("root", "vantage"), "--strip-components=1"]);
  await machine.shell("cd ~/vantage && install -m 755 vantage libchdb.so /usr/local/bin/");
  await machine.shell("install -d -o prometheus -g prometheus /var/lib/prometheus");
  await machine.shell("install -d -o caddy -g caddy /var/lib/caddy");
}

async function addAgent(machine: Machine): Promise<void> {
  // The interface is named, as this network has no default route.
  const line = "{ vantage setup invite here; echo '  interface: near0'; } | vantage setup --answers -";
  await machine.shell(line, { exits: 3 });
  allowDocumentation(machine, "agent");
  await machine.start("vantage-agent");
  await machine.run(["vantage", "health", "--wait", "240", "http://127.0.0.1:8080"]);
  await until("nothing fails in vantage doctor, of gateway and agent", async () => {
    const said = await machine.run(["vantage", "setup"]);
    return said.includes("/etc/vantage/probing-gateway.yaml: a probing gateway") && /^agent +ok/m.test(said);
  });
}

async function measure(operator: Operator): Promise<void> {
  await operator.logIn();
  await operator.ping("here", addresses.far);
}
