/** compose.yaml says what the Compose specification allows, names only what is there, and gives no right too many. */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import packageJson from "../../package.json";
import {
  type ComposeService,
  composeTexts,
  exampleVariables,
  isOurs,
  isOwnImage,
  parseCompose,
  projectRoot,
  readCompose,
  variablesIn,
} from "./compose-file.ts";
import specification from "./specification/compose-spec.json";

const compose = readCompose(exampleVariables());
const services = Object.entries(compose.services);
const page = readFileSync(join(projectRoot, "docs/operate/compose.md"), "utf8");

/** What each of these may do beyond an ordinary process; everybody else has no capability at all. */
const capabilities: Readonly<Record<string, readonly string[]>> = {
  edge: ["NET_BIND_SERVICE"],
  agent: ["NET_RAW", "SETUID", "SETGID"],
  "exchange-vpn": ["NET_ADMIN", "NET_RAW"],
  "exchange-bird": ["NET_ADMIN", "NET_BIND_SERVICE", "NET_RAW", "SETUID", "SETGID"],
  vpn: ["NET_ADMIN", "NET_RAW"],
};

/** Names of what does not satisfy the rule. */
function breaking(rule: (service: ComposeService, name: string) => boolean): string[] {
  return services.filter(([name, service]) => !rule(service, name)).map(([name]) => name);
}

test("it is what the specification's schema allows", () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile(
    specification,
  );
  for (const text of composeTexts()) {
    validate(parseCompose(text));
    expect(validate.errors).toBeNull();
  }
});

test("the schema is one that refuses", () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(specification);
  expect(validate({ services: { one: { image: "a:1", prots: ["80:80"] } } })).toBe(false);
});

test("each profile holds the services that are in the guide, under their names", () => {
  const profiles = new Set(services.flatMap(([, { profiles }]) => profiles));
  expect([...profiles].sort()).toEqual(["agent", "client", "exchange", "platform"]);
  expect(breaking((_, name) => page.includes(`| \`${name}\` |`))).toEqual([]);
});

test("without the platform's name it does not start, and says what to do", () => {
  for (const text of composeTexts()) {
    expect(() => readCompose({}, [text])).toThrow("PLATFORM_DOMAIN is not set: see docs/operate/compose.md");
  }
});

test("each image is named by a version, ours by the one of this tree", () => {
  const pinned = /^(docker\.io|quay\.io)\/[\w./-]+:v?\d+\.\d+[\w.-]*$/;
  const ours = new RegExp(`^vantage(-[a-z]+)?:${packageJson.version.replaceAll(".", "\\.")}$`);
  expect(breaking(({ image }) => (isOwnImage(image) ? ours : pinned).test(image))).toEqual([]);
  expect(breaking(({ image }) => isOwnImage(image) || page.includes(`\`${image}\``))).toEqual([]);
});

test("each port of a machine is used once in a profile, and stated in the guide, with the addresses that it is on", () => {
  for (const profile of ["platform", "agent", "exchange", "client"]) {
    const ports = services
      .filter(([, service]) => service.profiles.includes(profile))
      .flatMap(([, service]) => service.ports);
    const numbers = ports.map((port) => /(\d+):\d+(\/udp)?$/.exec(port)?.slice(1).join(""));
    expect([profile, new Set(numbers).size]).toEqual([profile, ports.length]);
    // Only the platform is open to others.
    const rows = ports.map((port, index) => {
      const where = port.startsWith("127.0.0.1:")
        ? "loopback"
        : profile === "platform"
          ? "all addresses"
          : "nowhere";
      const number = numbers[index]?.replace("/udp", " (UDP)");
      return profile === "client" && where === "loopback" ? `| ${number} |` : `| ${number} | ${where} |`;
    });
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  }
});

test("each file, volume, network and secret that is named is there, and each that is there is used", () => {
  const mounts = services.flatMap(([, { volumes }]) => volumes.map((volume) => volume.split(":")[0] ?? ""));
  const files = mounts.filter((source) => source.startsWith("."));
  expect(files.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  const named = mounts.filter((source) => !source.startsWith("."));
  expect([...new Set(named)].sort()).toEqual(Object.keys(compose.volumes).sort());
  const secrets = services.flatMap(([, service]) => service.secrets.map(({ source }) => source));
  expect([...new Set(secrets)].sort()).toEqual(Object.keys(compose.secrets).sort());
  const networks = services.flatMap(([, service]) => networksOf(service));
  expect([...new Set(networks)].sort()).toEqual(Object.keys(compose.networks).sort());
});

function membersOf(network: string): string[] {
  return services.flatMap(([name, service]) => (networksOf(service).includes(network) ? [name] : [])).sort();
}

function holders(secret: string): string[] {
  return services
    .filter(([, { secrets }]) => secrets.some(({ source }) => source === secret))
    .map(([name]) => name);
}

test("the broker's inner port is open to those alone who need it, each with an account", () => {
  expect(membersOf("broker")).toEqual(["collector", "ingester", "kafka", "probing-gateway"]);
  const properties = readFileSync(join(projectRoot, "deploy/kafka/server.properties"), "utf8");
  expect(properties).toContain(",INSIDE:SASL_PLAINTEXT,OUTSIDE:SASL_SSL\n");
  const accounts = ["gateway", "ingester", "collector"];
  expect(accounts.map((name) => holders(`kafka_${name}`))).toEqual([
    ["kafka-topics", "probing-gateway"],
    ["kafka-topics", "ingester"],
    ["kafka-topics", "collector"],
  ]);
  expect(networksOf(compose.services.kafka ?? ({} as ComposeService))).toEqual(["broker", "outside"]);
  expect(compose.services.kafka?.environment.INSIDE_BIND).toBe("kafka-inside");
});

test("of who is in front of the gateways, the edge alone says for whom it asks", () => {
  expect(membersOf("front")).toEqual(["edge", "peering-gateway", "probing-gateway"]);
  expect(membersOf("core")).not.toContain("edge");
  const [range] = compose.networks.front?.ipam?.config ?? [];
  const trusted = compose.services["probing-gateway"]?.environment.VANTAGE_GATEWAY__TRUSTED_PROXIES;
  expect(trusted).toBe(range?.subnet ?? "none");
});

function networksOf({ networks }: ComposeService): string[] {
  return Array.isArray(networks) ? networks : Object.keys(networks);
}

test("one command makes every secret of the platform, and again changes none", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-secrets-"));
  try {
    const make = () => {
      const command = ["sh", join(projectRoot, "deploy/make-secrets.sh"), "example.net", folder];
      return Bun.spawnSync(command).stdout.toString();
    };
    expect(make()).toContain("kafka_keystore.pem");
    const used = services
      .filter(([, { profiles }]) => profiles.includes("platform"))
      .flatMap(([, service]) => service.secrets.map(({ source }) => source));
    expect(used.filter((name) => !existsSync(join(folder, name)))).toEqual([]);
    const before = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    expect(make()).toBe("");
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("each service has an account of its own at ClickHouse, with the rights that it needs", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-secrets-"));
  try {
    const make = () =>
      Bun.spawnSync(["sh", join(projectRoot, "deploy/make-secrets.sh"), "example.net", folder]);
    make();
    const users = () => readFileSync(join(folder, "clickhouse_users.xml"), "utf8");
    const rightsOf = (user: string) => {
      const [, account = ""] = users().split(new RegExp(`</?${user}>`));
      return [...account.matchAll(/<query>(.*)<\/query>/g)].map(([, query]) => query);
    };
    const all = ["vantage_gateway", "vantage_ingester", "grafana"].map(rightsOf);
    expect(all).toEqual([
      ["GRANT SELECT, ALTER DELETE ON measure.*", "GRANT SELECT ON bmp.*", "GRANT SELECT ON system.tables"],
      [
        "GRANT SELECT, INSERT ON measure.*",
        // A measurement that is counted again takes the place of its figures before.
        "GRANT ALTER DELETE ON measure.history",
        ...["GRANT SELECT, INSERT ON bmp.*", "GRANT SELECT ON system.tables"],
      ],
      ["GRANT SELECT ON measure.*"],
    ]);
    // Where everybody was one account before, the file is made anew.
    writeFileSync(join(folder, "clickhouse_users.xml"), "<clickhouse><users><vantage/></users></clickhouse>");
    make();
    expect(users()).toContain("<vantage_gateway>");
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(["address", "gateway", "ingester"].map((name) => holders(`clickhouse_${name}`))).toEqual([
    ["store-tables"],
    ["probing-gateway"],
    ["ingester"],
  ]);
});

test("every secret is in the guide, and none is in a variable", () => {
  expect(Object.keys(compose.secrets).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  const telling = /(PASSWORD|SECRET|KEY|TOKEN)$/;
  expect(breaking(({ environment }) => !Object.keys(environment).some((name) => telling.test(name)))).toEqual(
    [],
  );
});

test("every variable is in the example and in the guide", () => {
  // The last one is asked for by Compose itself.
  const asked = variablesIn(composeTexts().join("\n")).add("COMPOSE_PROFILES");
  expect([...asked].sort()).toEqual(Object.keys(exampleVariables()).sort());
  expect([...asked].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("what a service waits for is of its own profile, and can come true", () => {
  expect(
    breaking(({ depends_on, profiles }) =>
      Object.entries(depends_on).every(([name, { condition }]) => {
        const other = compose.services[name];
        const isPossible = condition !== "service_healthy" || other?.healthcheck !== undefined;
        const ends = condition !== "service_completed_successfully" || other?.restart === "on-failure";
        return isPossible && ends && other?.profiles.join() === profiles.join();
      }),
    ),
  ).toEqual([]);
});

test("no service has a right too many", () => {
  expect(breaking((service, name) => service.cap_add.join() === (capabilities[name] ?? []).join())).toEqual(
    [],
  );
  expect(breaking(({ cap_drop }) => cap_drop.join() === "ALL")).toEqual([]);
  expect(breaking(({ privileged }) => !privileged)).toEqual([]);
  expect(breaking(({ security_opt }) => security_opt.includes("no-new-privileges:true"))).toEqual([]);
  expect(breaking(({ read_only }) => read_only)).toEqual(["keycloak"]);
  expect(
    breaking(({ volumes }) => !volumes.some((volume) => /\b(docker|podman)\.sock/.test(volume))),
  ).toEqual([]);
});

test("what is ours runs as nobody's user, from its start or by its first command", () => {
  const drops = ({ entrypoint = [] }: ComposeService) =>
    entrypoint.join(" ").startsWith("setpriv --reuid=10001 --regid=10001 --clear-groups");
  expect(breaking((service) => !isOurs(service) || service.user === "10001:10001" || drops(service))).toEqual(
    [],
  );
});

test("each service is watched, started again, and has a log that ends somewhere", () => {
  const ending = ["kafka-topics", "issuer-ready", "store-tables", "exchange-config"];
  expect(breaking(({ healthcheck }) => healthcheck !== undefined)).toEqual(ending);
  expect(
    breaking(({ restart, healthcheck }) => (restart === "on-failure") === (healthcheck === undefined)),
  ).toEqual([]);
  expect(breaking(({ logging }) => logging.options["max-size"] !== undefined)).toEqual([]);
});

test("the guide says of each volume whether it is worth a backup", () => {
  const section = page.slice(page.indexOf("## Backup"));
  const told = [...section.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = ""]) => [
    ...cell.matchAll(/`([\w-]+)`/g),
  ]);
  expect(told.map(([, name = ""]) => name).sort()).toEqual(Object.keys(compose.volumes).sort());
});

test("ClickHouse's image is of the version of the library", () => {
  const script = `const { query } = require("chdb"); console.log(query("SELECT version()", "TSV"))`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script], { cwd: projectRoot });
  const [year, month] = stdout.toString().trim().split(".");
  expect(compose.services.clickhouse?.image).toEndWith(`/clickhouse-server:${year}.${month}`);
});

test("Headscale waits until its issuer can be asked by the name that it asks", () => {
  const { headscale, "issuer-ready": waiting } = compose.services;
  expect(headscale?.depends_on).toEqual({ "issuer-ready": { condition: "service_completed_successfully" } });
  expect(waiting?.command.join()).toContain(`,${headscale?.environment.HEADSCALE_OIDC_ISSUER}/.well-known/`);
});

test("alerts go from Prometheus to Alertmanager, and from there where the secret says", () => {
  const deployed = (file: string) => readFileSync(join(projectRoot, "deploy", file), "utf8");
  expect(deployed("prometheus/compose.yaml")).toContain("alertmanager:9093");
  const [, file = ""] = /url_file: (.*)/.exec(deployed("alertmanager/alertmanager.yaml")) ?? [];
  expect(compose.services.alertmanager?.secrets.map(({ target }) => target)).toEqual([file]);
});

test("Prometheus asks the services of this file, under the names that alerts and dashboards know", () => {
  const read = (file: string) =>
    Bun.YAML.parse(readFileSync(join(projectRoot, "deploy/prometheus", file), "utf8"));
  const jobs = (file: string) =>
    (read(file) as { scrape_configs: { job_name: string; static_configs?: { targets: string[] }[] }[] })
      .scrape_configs;
  expect(jobs("compose.yaml").map(({ job_name }) => job_name)).toEqual(
    jobs("prometheus.yaml").map(({ job_name }) => job_name),
  );
  const hosts = jobs("compose.yaml").flatMap(({ static_configs = [] }) =>
    static_configs.flatMap(({ targets }) => targets.map((target) => target.split(":")[0] ?? "")),
  );
  expect(hosts.filter((host) => compose.services[host] === undefined)).toEqual([]);
  const file = join(projectRoot, "deploy/prometheus/compose.yaml");
  const { exitCode, stderr } = Bun.spawnSync(["promtool", "check", "config", "--syntax-only", file]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
});
