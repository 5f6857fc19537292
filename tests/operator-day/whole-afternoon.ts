/**
 * The whole afternoon, in a fresh Debian with nothing but the package: TLS by a local authority, Keycloak, Kafka,
 * PostgreSQL, both gateways, an agent on another machine, an alert that fires and ends, a backup; then the machine is
 * wiped, and restored. In this process's own mount, network and process namespaces.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { until } from "../exchange/until.ts";
import { run } from "../lab/namespaces.ts";
import { AlertReceiver } from "./alert-receiver.ts";
import { KeycloakPeople } from "./keycloak-people.ts";
import { Machine } from "./machine.ts";
import { addresses, connect } from "./network.ts";
import { allowDocumentation, authority, domain, Operator } from "./operator.ts";
import { installKafka, startDebianPostgres } from "./programs.ts";
import { playSteps } from "./timed-steps.ts";

const answers = `platform:
  domain: ${domain}
  issuer: keycloak
  broker: kafka
  certificates: local
  pool: ["2001:db8:1000::/40"]
  alerts: ${AlertReceiver.url}
`;
const discovery = `https://login.${domain}/realms/vantage/.well-known/openid-configuration`;
const trusting = { variables: [authority] };

interface OperatorParts {
  /** The fresh Debian. */
  readonly base: string;
  readonly packageFile: string;
  /** The folder of Keycloak's distribution. */
  readonly keycloak: string;
}

/** `folder` is empty, on a file system that overlays can lie on. */
export async function playWholeAfternoon(folder: string, parts: OperatorParts): Promise<void> {
  await new WholeAfternoon(folder, parts).play();
}

/** What a user sees of what the platform keeps. */
interface Kept {
  readonly measurement: string;
  readonly replies: string;
  readonly leases: string;
}

class WholeAfternoon {
  readonly #folder: string;
  readonly #parts: OperatorParts;
  readonly #machines: Machine[] = [];
  #platform: Machine | null = null;
  #kept: Kept | null = null;

  constructor(folder: string, parts: OperatorParts) {
    [this.#folder, this.#parts] = [folder, parts];
  }

  async play(): Promise<void> {
    await connect();
    const platform = await this.#make("platform", null);
    const agent = await this.#make("agent", "far");
    const operator = new Operator(platform);
    const people = new KeycloakPeople(platform);
    this.#platform = platform;
    await playSteps(
      [
        ["install the package on both machines; PostgreSQL, Kafka, Keycloak", () => this.#install(agent)],
        ["vantage setup: the platform", () => operator.setUp(answers)],
        ["make the databases, start the services, Keycloak answers", () => this.#start(operator)],
        [
          "vantage setup again: nothing changes, nothing fails in vantage doctor",
          () => operator.setUpAgain(),
        ],
        [
          "make a user; log in over TLS; an operator's command; a lease",
          () => this.#welcome(operator, people),
        ],
        ["invite an agent, set its machine up, ping from it", () => this.#addAgent(operator, agent)],
        ["a gateway ends: the alert fires, is delivered, and ends", () => this.#alert()],
        ["vantage backup, and Keycloak's database", () => this.#backUp()],
        ["wipe the machine; install again", () => this.#wipe()],
        ["restore: files, setup, databases, data; start the services", () => this.#restore()],
        ["log in, and see what was measured and leased before", () => this.#seeAgain()],
        ["invite the agent again, ping from it", () => this.#addAgent(new Operator(this.#here), agent)],
      ],
      this.#machines,
    );
  }

  get #here(): Machine {
    if (this.#platform === null) {
      throw new Error("There is no platform");
    }
    return this.#platform;
  }

  async #make(name: string, namespace: string | null): Promise<Machine> {
    const folder = join(this.#folder, name);
    mkdirSync(folder);
    const machine = await Machine.make(folder, namespace, this.#parts.base);
    const names = ["probing", "peering", "login", "watch", "kafka"].map((one) => `${one}.${domain}`);
    machine.nameHosts([`${addresses.here} ${names.join(" ")}`]);
    if (namespace === null) {
      await machine.lendHosts();
    }
    this.#machines.push(machine);
    return machine;
  }

  async #install(agent: Machine): Promise<void> {
    await this.#installPackage(agent);
    await this.#installPlatform();
  }

  async #installPackage(machine: Machine): Promise<void> {
    await run(["cp", this.#parts.packageFile, machine.path("tmp/vantage.deb")]);
    await machine.run(["dpkg", "--install", "/tmp/vantage.deb"]);
    await machine.run(["rm", "/tmp/vantage.deb"]);
  }

  async #installPlatform(): Promise<void> {
    const here = this.#here;
    await this.#installPackage(here);
    await startDebianPostgres(here);
    await installKafka(here);
    await run(["cp", "--archive", this.#parts.keycloak, here.path("opt", "keycloak")]);
    // Python's zipfile, which unpacked it, sets no modes.
    await here.shell("chmod 755 /opt/keycloak/bin/*.sh");
  }

  async #start(operator: Operator): Promise<void> {
    await this.#here.shell("chown -R kafka: /opt/kafka; chown -R keycloak: /opt/keycloak");
    await operator.start();
    await this.#here.run(["vantage", "health", "--wait", "600", discovery], trusting);
  }

  async #welcome(operator: Operator, people: KeycloakPeople): Promise<void> {
    await people.makeOperator();
    await operator.logIn((url) => people.confirm(url));
    const users = await this.#here.run(["vantage", "admin", "users", "list", "-o", "csv"], trusting);
    const lease = await this.#here.run(["vantage", "peering", "prefix", "request", "24"], trusting);
    if (!users.includes("anna") || !lease.includes("2001:db8:1000::/48")) {
      throw new Error(`A role, or a lease, is missing:\n${users}${lease}`);
    }
  }

  async #addAgent(operator: Operator, agent: Machine): Promise<void> {
    // Named, as this network has no default route.
    const input = `${await operator.invite("west", "--grant", `${addresses.far}/32`)}  interface: far0\n`;
    // So the doctor at setup's end finds that it does not run, the second time, too.
    await agent.stop("vantage-agent");
    await agent.run(["vantage", "setup", "--answers", "-"], { input, exits: 3 });
    allowDocumentation(agent, "agent");
    await agent.start("vantage-agent");
    await until("nothing fails in vantage doctor", async () => {
      await agent.run(["vantage", "setup"]);
      return true;
    });
    await operator.ping("west", addresses.here);
    this.#kept ??= await this.#whatIsKept();
  }

  /** Once the store has the answers. */
  async #whatIsKept(): Promise<Kept> {
    const here = this.#here;
    const ids = await here.run(["vantage", "measurements", "-o", "json"], trusting);
    const [, measurement = ""] = /"measurement_id":\s*"([^"]+)"/.exec(ids) ?? [];
    return await until("the answers are stored", async () => {
      const kept = { measurement, ...(await this.#shown(measurement)) };
      return kept.replies.split("\n").length >= 3 && kept;
    });
  }

  async #shown(measurement: string): Promise<Omit<Kept, "measurement">> {
    const here = this.#here;
    const replies = await here.run(["vantage", "replies", measurement, "-o", "csv"], trusting);
    const leases = await here.run(["vantage", "peering", "prefix", "list", "-o", "csv"], trusting);
    // The seconds that are left pass.
    const lasting = leases.split("\n").map((row) => row.split(",").slice(0, 4).join(","));
    return { replies, leases: lasting.join("\n") };
  }

  async #alert(): Promise<void> {
    await using receiver = new AlertReceiver();
    await this.#here.stop("vantage-peering-gateway");
    await receiver.until("VantageTargetDown", "firing");
    await this.#here.start("vantage-peering-gateway");
    await receiver.until("VantageTargetDown", "resolved");
  }

  async #backUp(): Promise<void> {
    const here = this.#here;
    await here.shell("mkdir -p /srv/backup && vantage backup /srv/backup/friday");
    await here.shell("runuser -u postgres -- pg_dump keycloak >/srv/backup/keycloak.sql");
    await run(["cp", "--archive", here.path("srv/backup"), join(this.#folder, "kept")]);
  }

  async #wipe(): Promise<void> {
    await this.#here.wipe();
    this.#machines.splice(0, 1);
    this.#platform = await this.#make("platform", null);
    await this.#installPlatform();
  }

  async #restore(): Promise<void> {
    const here = this.#here;
    const operator = new Operator(here);
    await run(["cp", "--archive", join(this.#folder, "kept"), here.path("srv/backup")]);
    await here.run(["vantage", "restore", "--only", "files", "/srv/backup/friday"]);
    await operator.setUpRestored();
    await operator.makeDatabases();
    await here.run(["vantage", "restore", "--only", "data", "/srv/backup/friday"]);
    await here.shell(
      "runuser -u postgres -- psql --quiet --set=ON_ERROR_STOP=1 keycloak </srv/backup/keycloak.sql",
    );
    await this.#start(operator);
    await operator.setUpAgain();
  }

  /** With the login of before: her tokens were in her own folder, which is gone. */
  async #seeAgain(): Promise<void> {
    const people = new KeycloakPeople(this.#here);
    await new Operator(this.#here).logIn((url) => people.confirm(url));
    const before = this.#kept;
    const now = before === null ? null : await this.#shown(before.measurement);
    if (before === null || now?.replies !== before.replies || now.leases !== before.leases) {
      throw new Error(`Not what it was:\n${JSON.stringify({ before, now }, null, 2)}`);
    }
  }
}
