/** What `vantage setup` writes, as the programs that read it see it. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parseCompose, projectRoot, readCompose } from "../deploy/compose-file.ts";
import specification from "../deploy/specification/compose-spec.json";
import { agent, contained, everyFile, large, machines, run, small, vantage } from "./look.ts";

const machine = machines();

const tools: readonly (readonly [what: string, command: (root: string) => readonly string[]])[] = [
  ["caddy", (root) => ["caddy", "adapt", "--config", join(root, "etc/vantage/caddy/Caddyfile")]],
  [
    "promtool",
    (root) => ["promtool", "check", "config", join(root, "etc/vantage/prometheus/prometheus.yaml")],
  ],
  ["amtool", (root) => ["amtool", "check-config", join(root, "etc/vantage/alertmanager/alertmanager.yaml")]],
  ...["probing-gateway", "peering-gateway"].map(
    (name) =>
      [
        name,
        (root: string) => [...vantage, name, "--check", "-c", join(root, `etc/vantage/${name}.yaml`)],
      ] as const,
  ),
];
const kinds = { small, large } as const;

test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  "each program takes what is written for %s",
  (kind) => {
    const { root, setup, read } = machine();
    setup(kinds[kind]);
    for (const [what, command] of tools) {
      const { code, errors, output } = run(command(root));
      expect([what, code, code === 0 ? "" : errors + output]).toEqual([what, 0, ""]);
    }
    const caddyfile = read("etc/vantage/caddy/Caddyfile");
    expect(caddyfile).not.toMatch(/vpn\.|\{\$|headscale|-gateway:/);
    expect(caddyfile.includes("login.example.net")).toBe(kind === "large");
    expect(read("etc/vantage/prometheus/prometheus.yaml")).not.toMatch(/collector|ingester/);
  },
);

test("systemd takes each unit with its drop-ins", () => {
  const { root, setup, at } = machine();
  setup(large.replace("certificates: local", "certificates: public"));
  setup(agent);
  const units = readdirSync(at("etc/systemd/system")).filter((name) => name.endsWith(".service"));
  expect(units).toContain("vantage-kafka-topics.service");
  const said = units.map((name) => {
    const verify = ["systemd-analyze", "verify", "--recursive-errors=no", at(`etc/systemd/system/${name}`)];
    // Programs that are not on this machine.
    const lines = run(verify).errors.split("\n");
    return lines.filter((line) => line !== "" && !/is not executable|Failed to create .*start/.test(line));
  });
  expect(said.flat()).toEqual([]);
  expect(root).toContain(" ");
});

test("in containers: compose.yaml without builds, all that it mounts and asks for, the files of deploy", () => {
  const { setup, at, read } = machine();
  expect(setup(contained)).toMatchObject({ code: 0, errors: "" });
  const folder = "etc/vantage/compose";
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(specification);
  for (const name of ["compose.yaml", "compose.override.yaml"]) {
    expect([validate(parseCompose(read(`${folder}/${name}`))), validate.errors]).toEqual([true, null]);
  }
  const lines = read(`${folder}/.env`)
    .split("\n")
    .filter((line) => !line.startsWith("#"));
  const variables = Object.fromEntries(lines.map((line) => line.split("=")));
  expect(variables).toMatchObject({ PLATFORM_DOMAIN: "example.net", PLATFORM_ASN: "64500" });
  const { services, secrets } = readCompose(variables, [read(`${folder}/compose.yaml`)]);
  const own = Object.values(services).filter(({ profiles }) => profiles.includes("platform"));
  expect(own.length).toBeGreaterThan(14);
  expect(own.filter(({ build }) => build !== undefined)).toEqual([]);
  const mounted = own.flatMap(({ volumes }) => volumes).filter((volume) => volume.startsWith("./"));
  const asked = own.flatMap((one) => one.secrets).map(({ source }) => secrets[source]?.file ?? source);
  const paths = mounted.map((volume) => join(folder, volume.split(":")[0] ?? ""));
  expect([...paths, ...asked].filter((path) => !existsSync(at(path)))).toEqual([]);
  expect(readFileSync(at("etc/vantage/secrets/alerts_webhook"), "utf8")).toContain("hooks.example.net");
  for (const name of everyFile(at(`${folder}/deploy`)).filter((one) => one !== "peering/pool")) {
    const parsed = (text: string) => (name.endsWith(".json") ? JSON.parse(text) : text);
    const inDeploy = readFileSync(join(projectRoot, "deploy", name), "utf8");
    expect([name, parsed(read(`${folder}/deploy/${name}`))]).toEqual([name, parsed(inDeploy)]);
  }
});

test("what its files name of deploy is there: no name of compose.yaml is left", () => {
  const { root, setup } = machine();
  setup(large);
  const names =
    /\b(kafka-inside|postgres:5432|keycloak:8080|prometheus:9090|alertmanager:9093|grafana:3000)\b/;
  const left = everyFile(join(root, "etc")).filter(
    (name) => !/deploy|\.sh$|secrets/.test(name) && names.test(readFileSync(join(root, "etc", name), "utf8")),
  );
  expect(left).toEqual([]);
});
