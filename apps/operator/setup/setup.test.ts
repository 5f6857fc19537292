/** `vantage setup` below another prefix: what it writes, and that a second run does no harm. */
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  agent,
  contained,
  everyFile,
  executable,
  large,
  machines,
  run,
  small,
  vantage,
} from "../../../tests/operator-day/look.ts";

const machine = machines();

const umasks = ["0077", "0022", "0000"] as const;

function contents(root: string): Record<string, string> {
  return Object.fromEntries(everyFile(root).map((name) => [name, readFileSync(join(root, name), "utf8")]));
}

test.each(umasks)("with umask %s, secrets are their owner's, and what others read can be read", (umask) => {
  const { root, setup, at } = machine();
  expect(setup(large, [], umask)).toMatchObject({ code: 0, errors: "" });
  expect(setup(agent, [], umask)).toMatchObject({ code: 0, errors: "" });
  const mode = (path: string) => (statSync(at(path)).mode & 0o7777).toString(8);
  expect(["etc/vantage", "etc/vantage/secrets", "etc/vantage/caddy"].map(mode)).toEqual([
    "755",
    "700",
    "755",
  ]);
  const secrets = readdirSync(at("etc/vantage/secrets"));
  expect(secrets.length).toBeGreaterThan(20);
  const open = secrets.filter((name) => mode(`etc/vantage/secrets/${name}`) !== "600");
  expect(open).toEqual([]);
  const configurations = ["probing-gateway", "peering-gateway", "agent"].map(
    (name) => `etc/vantage/${name}.yaml`,
  );
  const restricted = [...configurations, "etc/vantage/ingester.env", "etc/vantage/authority/authority.key"];
  expect(restricted.map(mode)).toEqual(restricted.map(() => "640"));
  expect(mode("etc/vantage/alertmanager/alertmanager.yaml")).toBe("640");
  expect(
    ["setup-platform.yaml", "setup-agent.yaml", ".setup.json"].map((name) => mode(`etc/vantage/${name}`)),
  ).toEqual(["600", "600", "600"]);
  expect(mode("etc/vantage/kafka/start.sh")).toBe("755");
  // No secret stands in a file that everyone can read.
  const values = secrets
    .map((name) => readFileSync(join(root, "etc/vantage/secrets", name), "utf8").trim())
    .filter((value) => /^[0-9a-f]{48}$/.test(value));
  const telling = everyFile(root)
    .filter((name) => (statSync(join(root, name)).mode & 0o004) !== 0)
    .filter((name) => values.some((value) => readFileSync(join(root, name), "utf8").includes(value)));
  expect(telling).toEqual([]);
});

test("again it changes nothing, and makes no secret anew", () => {
  const { root, setup } = machine();
  expect(setup(large).output).toMatch(/^secrets {2}\d+ made in \/etc\/vantage\/secrets/m);
  const before = contents(root);
  const again = setup(large);
  expect(again.code).toBe(0);
  expect(again.output).not.toMatch(/^(new|updated|kept|removed|secrets) /m);
  expect(again.output).toMatch(/^as it is \d+ files$/m);
  expect(contents(root)).toEqual(before);
});

test("folders that a restore has made for root alone are opened for services again", () => {
  const { setup, at } = machine();
  setup(large);
  const folders = ["etc/vantage", "etc/vantage/kafka", "etc/vantage/grafana/provisioning/dashboards"];
  for (const path of [...folders, "etc/vantage/secrets"]) {
    chmodSync(at(path), 0o700);
  }
  expect(setup(large).code).toBe(0);
  const mode = (path: string) => (statSync(at(path)).mode & 0o777).toString(8);
  expect([...folders.map(mode), mode("etc/vantage/secrets")]).toEqual(["755", "755", "755", "700"]);
});

test("the broker's certificate is made again for another name, by the same authority", () => {
  const { setup, at, read } = machine();
  const named = (name: string) => {
    const keystore = at("etc/vantage/secrets/kafka_keystore.pem");
    const checks = run(["openssl", "x509", "-in", keystore, "-noout", "-checkhost", name]).output;
    return checks.includes("does match certificate");
  };
  setup(large);
  const authority = read("etc/vantage/secrets/kafka_ca.pem");
  expect([named("kafka.example.net"), named("kafka.example.org")]).toEqual([true, false]);
  const { output } = setup(large.replaceAll("example.net", "example.org"));
  expect(output).toContain("secrets  1 made in /etc/vantage/secrets");
  expect([named("kafka.example.net"), named("kafka.example.org")]).toEqual([false, true]);
  expect(read("etc/vantage/secrets/kafka_ca.pem")).toBe(authority);
});

test("other answers update its files; one that somebody changed stays and is named", () => {
  const { setup, at, read } = machine();
  setup(small);
  const password = read("etc/vantage/secrets/probing_database");
  const mine = "# mine\n";
  writeFileSync(at("etc/vantage/caddy/Caddyfile"), mine);
  writeFileSync(at("etc/vantage/prometheus/targets/agents.yaml"), "- targets: [west.example.net:8080]\n");
  const { output, code } = setup(small.replace("example.net", "example.org"));
  expect(code).toBe(0);
  expect(output).toContain("updated  /etc/vantage/probing-gateway.yaml");
  expect(output).toContain("kept     /etc/vantage/caddy/Caddyfile: not written by setup, or changed since");
  expect(read("etc/vantage/caddy/Caddyfile")).toBe(mine);
  expect(read("etc/vantage/prometheus/targets/agents.yaml")).toContain("west.example.net");
  expect(read("etc/vantage/probing-gateway.yaml")).toContain("https://probing.example.org");
  expect(read("etc/vantage/secrets/probing_database")).toBe(password);
  expect(read("etc/vantage/probing-gateway.yaml")).toContain(password.trim());
  rmSync(at("etc/vantage/caddy/Caddyfile"));
  setup(small);
  expect(read("etc/vantage/caddy/Caddyfile")).toContain("probing.example.net {");
});

test("what is no longer needed goes, unless somebody changed it", () => {
  const { setup, at } = machine();
  setup(large);
  setup(agent);
  writeFileSync(at("etc/vantage/kafka/topics.sh"), "# mine\n");
  const { output } = setup(small);
  expect(output).toContain("removed  /etc/systemd/system/vantage-kafka.service: no longer needed");
  expect(existsSync(at("etc/systemd/system/vantage-kafka.service"))).toBe(false);
  expect(existsSync(at("etc/systemd/system/vantage-stack.service.d/vantage-setup.conf"))).toBe(false);
  expect(existsSync(at("etc/vantage/kafka/topics.sh"))).toBe(true);
  // The agent's answers are another section.
  expect(existsSync(at("etc/vantage/agent.yaml"))).toBe(true);
});

test("an example of the package, all comments, gives way to a configuration", () => {
  const { setup, at, read } = machine();
  mkdirSync(at("etc/vantage"), { recursive: true });
  writeFileSync(at("etc/vantage/probing-gateway.yaml"), "# An example\n# gateway: {}\n");
  writeFileSync(at("etc/vantage/peering-gateway.yaml"), "gateway: {}\n");
  const { output } = setup(small);
  expect(output).toContain("updated  /etc/vantage/probing-gateway.yaml");
  expect(output).toContain("kept     /etc/vantage/peering-gateway.yaml");
  expect(read("etc/vantage/peering-gateway.yaml")).toBe("gateway: {}\n");
});

test("without --answers it takes those of the last run", () => {
  const { root, setup } = machine();
  setup(large);
  setup(agent);
  const again = run([...vantage, "setup", "--prefix", root, ...executable]);
  expect(again).toMatchObject({ code: 0, errors: "" });
  expect(again.output).toContain("platform, below ");
  expect(again.output).toContain("agent, below ");
  expect(again.output).not.toMatch(/^(new|updated|kept|removed|secrets) /m);
  const none = run([...vantage, "setup", "--prefix", join(root, "nowhere"), ...executable]);
  expect([none.code, none.errors]).toEqual([
    2,
    expect.stringContaining("No answers: give a file with --answers"),
  ]);
});

test("--check writes nothing, shows what would change, and no secret", () => {
  const { root, setup, at } = machine();
  const first = setup(large, ["--check"]);
  expect(first.code).toBe(0);
  expect(first.output).toContain("new      /etc/vantage/probing-gateway.yaml  0640 root:vantage-stack");
  expect(readdirSync(root)).toEqual(["answers.yaml"]);
  setup(large);
  const password = readFileSync(at("etc/vantage/secrets/kafka_gateway"), "utf8").trim();
  const before = contents(root);
  const second = setup(large.replaceAll("example.net", "example.org"), ["--check"]);
  expect(second.output).toContain("  + probing.example.org {\n");
  expect(second.output).toContain("  - probing.example.net {\n");
  expect(second.output).toContain("  (not shown: it holds secrets)");
  expect(second.output).not.toContain(password);
  const after = contents(root);
  expect({ ...after, "answers.yaml": "" }).toEqual({ ...before, "answers.yaml": "" });
});

const wrong: readonly (readonly [text: string, problem: string])[] = [
  ["platform: {domain: example, issuer: keycloak}", ":1: platform.domain: must be a domain name"],
  ["platform:\n  domain: example.net", ":1: platform.issuer: is missing"],
  ["platform:\n  domian: example.net", ':2: platform.domian: unknown key; did you mean "domain"?'],
  [`${small}  broker: rabbit`, ":5: platform.broker: must be "],
  [small.replace("/40", "/400"), ":4: platform.pool.0: must be a prefix"],
  [`${small}  alerts: hooks.example.net`, ":5: platform.alerts: must be a URL"],
  [
    "platform: {domain: example.net, issuer: keycloak, database: embedded}",
    ":1: platform.database: must be postgresql",
  ],
  [
    "platform: {domain: example.net, issuer: http://login.example.net}",
    ":1: platform.issuer: must be https://",
  ],
  [`${small}  services: containers`, ":3: platform.issuer: must be keycloak, as containers have it"],
  ["{}", ": says nothing about this machine"],
  [
    "agent: {id: 'a b', gateway: https://a.example, enrolment_key: k, broker: 'a:1'}",
    ":1: agent.id: must be",
  ],
  [
    "agent: {id: a, gateway: http://a.example, enrolment_key: k, broker: 'a:1'}",
    ":1: agent.gateway: must be https://",
  ],
];

test.each(wrong)("wrong answers are named with place and reason: %s", (text, problem) => {
  const { root, setup } = machine();
  const { code, errors } = setup(text);
  expect([code, errors]).toEqual([2, expect.stringContaining(`answers.yaml${problem}`)]);
  expect(readdirSync(root)).toEqual(["answers.yaml"]);
});

test("containers and systemd have other secrets, so one does not follow the other", () => {
  const { setup } = machine();
  expect(setup(contained).code).toBe(0);
  expect(setup(contained).output).not.toMatch(/^(new|updated|kept|removed|secrets) /m);
  expect(setup(large)).toMatchObject({
    code: 1,
    errors: expect.stringContaining("was set up with services: containers"),
  });
});

test("on a terminal it asks, and asks again after a wrong answer", () => {
  const { root, read } = machine();
  const command = [...vantage, "setup", "--prefix", root, ...executable].map((word) => `'${word}'`).join(" ");
  const typed = [
    "example",
    "example.net",
    "",
    "https://accounts.example.org/",
    "",
    "",
    "",
    "2001:db8:1000::/40",
    "",
  ];
  const child = Bun.spawnSync(["script", "-qec", command, "/dev/null"], {
    stdin: Buffer.from(typed.map((line) => `${line}\n`).join("")),
  });
  const said = child.stdout.toString();
  expect([child.exitCode, said]).toEqual([0, expect.stringContaining("must be a domain name")]);
  expect(said).toContain("database [postgresql]: ");
  expect(Bun.YAML.parse(read("etc/vantage/setup-platform.yaml"))).toMatchObject({
    platform: {
      ...{ domain: "example.net", issuer: "https://accounts.example.org/", pool: ["2001:db8:1000::/40"] },
      ...{ database: "postgresql", broker: "embedded", certificates: "public" },
    },
  });
});
