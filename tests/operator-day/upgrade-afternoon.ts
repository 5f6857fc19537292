/**
 * From the former release to this one, in a fresh Debian: its own units, PostgreSQL, an agent; then upgrade.md of
 * docs/operate with this one's archive. In this process's own mount, network and process namespaces.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { until } from "../exchange/until.ts";
import { run } from "../lab/namespaces.ts";
import { Machine } from "./machine.ts";
import { addresses, connect } from "./network.ts";
import { Operator } from "./operator.ts";
import { startDebianPostgres, startIssuerBeside } from "./programs.ts";
import { playSteps } from "./timed-steps.ts";

interface UpgradeParts {
  /** The fresh Debian. */
  readonly base: string;
  readonly archive: string;
  /** The former release's executable. */
  readonly former: string;
}

const gateways = { probing: "http://127.0.0.1:8093", peering: "http://127.0.0.1:8094" } as const;
const issuer = "oidc: {issuer: 'http://127.0.0.1:8095', audiences: ['urn:vantage']}\n";
const state = "/var/lib/vantage";
const database = (name: string) =>
  `database: {address: 'postgres://${name}:secret@127.0.0.1:5432/${name}'}\n`;

/** As an operator of 0.1.0 wrote them. */
const configurations = (subjectKey: string, enrolmentKey: string) => ({
  "probing-gateway.yaml": `gateway: {address: '127.0.0.1:8093', peering_gateway: '${gateways.peering}'}
${database("probing")}kafka: {brokers: 'embedded:${state}/stack/broker'}
store: {address: 'chdb:${state}/stack/store'}
safety: {block_reserved_ranges: false}
${issuer}`,
  "peering-gateway.yaml": `gateway: {address: '127.0.0.1:8094'}
${database("peering")}leases: {pool: ['2001:db8:1000::/40']}
subjects: {keys: ['${subjectKey}']}
${issuer}`,
  "agent.yaml": `agent: {id: west, metrics_address: '127.0.0.1:8080'}
prober: [{name: main, instance_id: 1, interface: near0, src_ipv4_prefix: ${addresses.here}/32}]
gateway: {url: '${gateways.probing}', enrolment_key: '${enrolmentKey}'}
kafka: {brokers: 'embedded:${state}/stack/broker'}
`,
});
const services = ["vantage-stack", "vantage-probing-gateway", "vantage-peering-gateway"];
const asStack = `[Service]\nUser=vantage-stack\nGroup=vantage-stack\nReadWritePaths=${state}/stack\n`;

export async function playUpgrade(folder: string, parts: UpgradeParts): Promise<void> {
  await connect();
  mkdirSync(join(folder, "all"));
  const machine = await Machine.make(join(folder, "all"), null, parts.base);
  startIssuerBeside();
  const upgrade = new Upgrade(machine, parts);
  await playSteps(
    [
      ["the former release: program, units, PostgreSQL", () => upgrade.installFormer()],
      ["its services; a login, a lease, a ping from its agent", () => upgrade.useFormer()],
      ["vantage upgrade --check, by the new program while all of it runs", () => upgrade.check()],
      ["vantage backup, by the new program", () => upgrade.backUp()],
      ["the new program, its units, restarts in order", () => upgrade.restart()],
      ["a ping from the agent", () => upgrade.ping()],
      ["what was measured and leased before is there", () => upgrade.compare()],
      ["the former program refuses the new databases", () => upgrade.goBack()],
    ],
    [machine],
  );
}

class Upgrade {
  readonly #machine: Machine;
  readonly #parts: UpgradeParts;
  readonly #operator: Operator;
  #before = "";

  constructor(machine: Machine, parts: UpgradeParts) {
    [this.#machine, this.#parts] = [machine, parts];
    this.#operator = new Operator(machine, gateways.probing);
  }

  async installFormer(): Promise<void> {
    const { archive, former } = this.#parts;
    const here = this.#machine;
    await here.shell("mkdir -p /srv/new");
    await run(["tar", "-xzf", archive, "-C", here.path("srv/new"), "--strip-components=1"]);
    await run(["install", "-m", "755", former, here.path("usr/local/bin/vantage")]);
    await here.shell("install -m 755 /srv/new/libchdb.so /usr/local/bin/");
    await startDebianPostgres(here);
    for (const name of ["probing", "peering"]) {
      const role = `CREATE ROLE ${name} LOGIN PASSWORD 'secret'`;
      const sql = `"${role}" -c "CREATE DATABASE ${name} OWNER ${name}"`;
      await here.shell(`runuser -u postgres -- psql --quiet -c ${sql}`);
    }
    await this.#writeConfigurations("");
    await this.#installServices();
    here.write("/etc/systemd/system/vantage-probing-gateway.service.d/override.conf", asStack);
    here.write("/etc/systemd/system/vantage-agent.service.d/override.conf", asStack);
  }

  async #writeConfigurations(enrolmentKey: string): Promise<void> {
    const here = this.#machine;
    const key = await here.run(["vantage", "peering-gateway", "--make-key"]);
    for (const [name, text] of Object.entries(configurations(key.trim(), enrolmentKey))) {
      if (enrolmentKey === "" || name === "agent.yaml") {
        here.write(`/etc/vantage/${name}`, text);
      }
    }
    await here.shell("chmod 644 /etc/vantage/*.yaml");
  }

  async #installServices(): Promise<void> {
    for (const name of ["stack", "probing-gateway", "peering-gateway", "agent"]) {
      await this.#machine.run(["vantage", "install-service", name]);
    }
    // What each unit of 0.1.0 runs beside the gateways is a gateway for trying it.
    const run = `[Service]\nExecStart=\nExecStart=/usr/local/bin/vantage stack --dir ${state}/stack --no-gateway\n`;
    this.#machine.write("/etc/systemd/system/vantage-stack.service.d/override.conf", run);
  }

  async #start(): Promise<void> {
    for (const name of services) {
      await this.#machine.start(name);
      // A gateway opens the stack's log and store.
      await this.#healthy("http://127.0.0.1:8090");
    }
    await this.#healthy(gateways.probing);
    await this.#healthy(gateways.peering);
  }

  async #healthy(url: string): Promise<void> {
    await until(`${url} is healthy`, async () => {
      await this.#machine.run(["vantage", "health", `${url}/health`]);
      return true;
    });
  }

  async useFormer(): Promise<void> {
    await this.#start();
    const admin = (await this.#machine.run(["cat", `${state}/probing-gateway/admin.key`])).trim();
    const response = await fetch(`${gateways.probing}/admin/enrolment-keys`, {
      ...{ method: "POST", body: JSON.stringify({ label: "west", uses: 1 }) },
      headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
    });
    const [, enrolmentKey = ""] = /"enrolment_key":"([^"]+)"/.exec(await response.text()) ?? [];
    await this.#writeConfigurations(enrolmentKey);
    await this.#machine.start("vantage-agent");
    await this.#operator.logIn();
    await this.#machine.run(["vantage", "peering", "prefix", "request", "24"]);
    await this.ping();
    this.#before = await this.#seen();
  }

  async ping(): Promise<void> {
    await this.#operator.ping("west", addresses.far);
  }

  /** Ids of measurements and prefixes, whatever columns a version shows. */
  async #seen(): Promise<string> {
    const here = this.#machine;
    const measured = await here.run(["vantage", "measurements", "-o", "csv"]);
    const leased = await here.run(["vantage", "peering", "prefix", "list", "-o", "csv"]);
    const ids = measured.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
    return [...ids.slice(-1), ...(leased.match(/2001:db8:[0-9a-f:]+\/48/g) ?? [])].join(" ");
  }

  async check(): Promise<void> {
    const said = await this.#machine.run(["/srv/new/vantage", "upgrade", "--check"]);
    if (
      !/^probing database .* \d+ +\d+ +\d+: …/m.test(said) ||
      !said.includes("Back again: the old program")
    ) {
      throw new Error(`Migrations are not listed:\n${said}`);
    }
    for (const name of ["probing-gateway", "peering-gateway"]) {
      await this.#machine.run(["/srv/new/vantage", name, "--check", "-c", `/etc/vantage/${name}.yaml`]);
    }
  }

  async backUp(): Promise<void> {
    await this.#machine.shell("mkdir -p /srv/backup && /srv/new/vantage backup /srv/backup/before");
  }

  async restart(): Promise<void> {
    // The agent, too: it reads the log by its folder, whose version changes.
    for (const name of ["vantage-agent", ...services.toReversed()]) {
      await this.#machine.stop(name);
    }
    await this.#machine.shell("install -m 755 /srv/new/vantage /usr/local/bin/vantage");
    await this.#installServices();
    // Unlike the former one, this agent does not send to addresses for documentation by itself.
    const allow = "Environment=VANTAGE_AGENT__BLOCK_RESERVED_RANGES=false\n";
    this.#machine.write("/etc/systemd/system/vantage-agent.service.d/override.conf", asStack + allow);
    await this.#start();
    await this.#machine.start("vantage-agent");
  }

  async compare(): Promise<void> {
    const now = await this.#seen();
    if (this.#before.split(" ").length !== 2 || now !== this.#before) {
      throw new Error(`Before: ${this.#before}\nNow: ${now}`);
    }
  }

  async goBack(): Promise<void> {
    const here = this.#machine;
    await run(["install", "-m", "755", this.#parts.former, here.path("srv/former")]);
    await here.stop("vantage-probing-gateway");
    const command = "/srv/former probing-gateway -c /etc/vantage/probing-gateway.yaml 2>&1";
    const said = await here.shell(command, { exits: 1 });
    if (!said.includes("install a newer Vantage")) {
      throw new Error(`No clear refusal:\n${said}`);
    }
  }
}
