/** A configuration that cannot be used: every command that takes one says so alike. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../../apps/commands.ts";
import { agentConfigAliases, agentConfigSchema } from "../../../apps/probing/agent/config/config-schema.ts";
import { agentOnlyKeys, clientSchema } from "../../../apps/user/client/config.ts";
import { describe } from "../../../lib/command/command/describe.ts";
import { saidBy } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-configuration-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** What a command needs besides, to come as far as its configuration. */
const besides: Readonly<Record<string, readonly string[]>> = {
  client: ["-p", file("probes.csv", "192.0.2.1,24000,33434,7,UDP\n"), "west"],
  import: [file("results.json", "[]")],
  replies: ["00000000-0000-4000-8000-000000000000"],
  catchment: ["00000000-0000-4000-8000-000000000000"],
  export: ["00000000-0000-4000-8000-000000000000", "--out", join(folder, "out")],
  "experiment timeline": ["none"],
};

/** They examine a configuration, so what is wrong with it is their result; or a service reads it later. */
const examining = /^(doctor |install-service$)/;

const names = (await describe(root, ""))
  .filter(({ command }) => command.run !== null && "config" in (command.options ?? {}))
  .map(({ name }) => name)
  .filter((name) => !examining.test(name));

async function run(name: string, config: string) {
  const words = [...name.split(" "), "--config", config, ...(besides[name] ?? [])];
  const { exitCode, stdout, stderr } = await saidBy(
    Bun.spawn([...vantageCommand, ...words], {
      env: { ...process.env, USER_ASN: "65001", USER_PREFIXES: "2001:db8::/48" },
      ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    }),
  );
  return { exitCode, stdout, lines: stderr.split("\n").slice(0, -1) };
}

test("commands of all kinds are among them", () => {
  expect(names).toEqual(
    expect.arrayContaining(["agent", "client", "replies", "import", "export", "experiment timeline"]),
  );
});

test.each(names)("%s: a line for each problem, with its place, and exit code 2", async (name) => {
  const path = file("wrong.yaml", "nonsense: 1\nrubbish: {}\n");
  const { exitCode, stdout, lines } = await run(name, path);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(lines[0]).toStartWith(`vantage ${name}: ${path}:1: nonsense: unknown key; known here: `);
  expect(lines[1]).toStartWith(`vantage ${name}: ${path}:2: rubbish: unknown key; known here: `);
  expect(lines.filter((line) => !line.startsWith(`vantage ${name}: `) || line.includes("\\n"))).toEqual([]);
});

test.each(names)("%s: a file that does not exist, with exit code 2", async (name) => {
  const { exitCode, lines } = await run(name, "/nowhere/c.yaml");
  const reason = `Cannot read the configuration /nowhere/c.yaml: there is no such file`;
  expect([exitCode, lines[0]]).toEqual([2, `vantage ${name}: ${reason}`]);
});

test("a client passes over exactly the keys that only an agent has", () => {
  const kafka = Object.keys(agentConfigSchema.entries.kafka.entries);
  const ours = Object.keys(clientSchema.entries.kafka.entries);
  const others = kafka.filter((key) => !ours.includes(key)).map((key) => `kafka.${key}`);
  const sections = Object.keys(agentConfigSchema.entries).filter((name) => name !== "kafka");
  expect(agentOnlyKeys.toSorted()).toEqual(
    [...sections, ...Object.keys(agentConfigAliases), ...others].toSorted(),
  );
});
