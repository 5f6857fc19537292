/** Names of exchange servers in examples: existing clients make a protocol of BIRD with the device's name. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const project = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "vantage-names-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pages = readdirSync(join(project, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".md"),
);
const examples = [
  ...pages.map((name) => readFileSync(join(project, "docs", name), "utf8")),
  readFileSync(join(project, "deploy/compose.env.example"), "utf8"),
].join("\n");
const pattern = /(?:--at|--exchange|EXCHANGE_NAME=|--hostname=)[ =]?(ixp[\w-]*)/g;
/** The laboratory of docs/internals/vpn-lab.md has no existing client. */
const names = new Set(
  [...examples.matchAll(pattern)].map(([, name = ""]) => name).filter((name) => name !== "ixp-lab"),
);

/** As an existing client's template has it, to its end. */
function isTaken(name: string): boolean {
  const file = join(folder, `${name}.conf`);
  const session = `local 100.64.0.9 as 65001; neighbor 100.64.0.1 as 215011; ipv6 { import all; export none; };`;
  writeFileSync(file, `router id 100.64.0.9;\nprotocol device {}\nprotocol bgp ${name} { ${session} }\n`);
  return Bun.spawnSync(["bird", "-p", "-c", file], { env: process.env }).exitCode === 0;
}

test("BIRD takes each of them as a protocol's name, and would refuse a hyphen", () => {
  expect([...names]).toEqual(expect.arrayContaining(["ixp1", "ixpfra", "ixpwest"]));
  expect(isTaken("ixp-west")).toBe(false);
  expect([...names].filter((name) => !isTaken(name))).toEqual([]);
});
