/** Addresses that are refused are shown without the password that was typed with them, whichever command reads them. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saidBy } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-passwords-"));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = "hush";
const url = `https://ada:${secret}@host.example/x?token=${secret}`;
const measurement = "00000000-0000-4000-8000-000000000000";

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function refusal(words: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await saidBy(
    Bun.spawn([...vantageCommand, ...words], { stdin: "ignore", stdout: "pipe", stderr: "pipe" }),
  );
  expect([1, 2]).toContain(exitCode);
  expect(stdout).toBe("");
  return stderr;
}

const targets = file("targets", `${url}\n`);
const client = file("client.yaml", `kafka: { brokers: "embedded:${folder}/broker" }\n`);
const lines = file("lines.csv", `${url},24000,33434,7,udp\n`);

const commands = [
  ["trace", url],
  ["ping", url],
  ["trace", `ada:${secret}@192.0.2.1`],
  ["trace", "-f", targets],
  ["probes", url],
  ["probes", "-f", targets],
  ["routes", "lookup", url],
  ["routes", "watch", url],
  ["client", "-c", client, "-p", lines, "west"],
  ["client", "-c", client, "-p", lines, `west:${url}`],
  ["replies", measurement, "--store", `ftp://ada:${secret}@store.example`],
  [
    "stack",
    "ingest",
    "--broker",
    `http://ada:${secret}@broker.example:9092`,
    "--store",
    "chdb:x",
    "--dir",
    folder,
  ],
];

test.each(commands.map((words) => [words.join(" ").replaceAll(secret, "…"), words] as const))(
  "%s",
  async (_, words) => {
    const shown = await refusal(words);
    expect(shown).toContain("ada@");
    expect(shown).not.toContain(secret);
  },
);

const agent = "agent: { id: west }\nprober: [{ name: one }]\n";

test.each([
  ["agent check", agent, []],
  ["agent", agent, []],
  ["client", "", ["-p", lines, "west"]],
  ["collector", "", []],
  ["probing-gateway", "", []],
])("%s: brokers that are none are a mistake of the configuration", async (name, before, besides) => {
  for (const brokers of [
    "http://ada:hush@broker.example:9092/x",
    "broker",
    "a:9092,",
    "a:70000",
    "a:0",
    ",",
  ]) {
    const config = file(`${name}.yaml`, `${before}kafka: { brokers: "${brokers}" }\n`);
    const ran = Bun.spawn([...vantageCommand, ...name.split(" "), "-c", config, ...besides], {
      ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
    const { exitCode, stderr } = await saidBy(ran);
    const place = `${config}:${before === "" ? 1 : 3}: kafka.brokers: must be HOST:PORT,… or embedded:DIR, not `;
    expect(stderr).toContain(`${place}"${brokers.replace(":hush", "")}"`);
    expect([brokers, exitCode]).toEqual([brokers, 2]);
  }
});

test.each([
  ["client", `kafka: { brokers: "a:1" }\n`, ["-p", lines, "west"]],
  ["probing-gateway", "\n", []],
])("%s: so is the address of a store", async (name, before, besides) => {
  for (const address of [
    "ftp://ada:hush@store.example",
    "store.example:8123",
    "http://h:1/?user=a",
    "chdb:",
  ]) {
    const config = file(`${name}.yaml`, `${before}store: { address: "${address}" }\n`);
    const ran = Bun.spawn([...vantageCommand, ...name.split(" "), "-c", config, ...besides], {
      ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
    const { exitCode, stderr } = await saidBy(ran);
    const place = `${config}:2: store.address: must be chdb:DIR or http(s)://HOST:PORT, not `;
    expect(stderr).toContain(`${place}"${address.replace(":hush", "")}"`);
    expect([address, exitCode]).toEqual([address, 2]);
  }
});
