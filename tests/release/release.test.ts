/** What goes with a release: its parts, its checksums, and whether its packages have known holes. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { advisoriesIn, audit } from "./audit.ts";
import { checksumsName, checksumsOf } from "./checksums.ts";
import { lockedPackages } from "./lock-packages.ts";
import { sbomOf } from "./sbom.ts";

const root = join(import.meta.dirname, "../..");
const sbom = sbomOf(root);
const named = (name: string) => sbom.components.find((one) => one.name === name);

test("every package of the lock file is there, with version, purl, and hash", () => {
  const locked = lockedPackages(readFileSync(join(root, "bun.lock"), "utf8"));
  expect(sbom.components).toHaveLength(locked.length);
  expect(locked.length).toBeGreaterThan(100);
  for (const { name, version, purl, hashes } of sbom.components) {
    expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
  }
  expect(new Set(sbom.components.map((one) => one["bom-ref"])).size).toBe(locked.length);
});

test("it is said what is shipped, and under which licence", () => {
  expect(named("hono")).toMatchObject({ scope: "required", licenses: [{ expression: "MIT" }] });
  // Needed by kafkajs, openid-client or other dependencies, not named by package.json.
  expect(named("oauth4webapi")?.scope).toBe("required");
  expect(named("typescript")?.scope).toBe("excluded");
  expect(named("bun")?.scope).toBe("required");
  expect(named(`@chdb/lib-linux-${process.arch}-gnu`)?.scope).toBe("optional");
  const shipped = sbom.components.filter(({ scope }) => scope === "required");
  const unlicensed = shipped.filter(({ licenses }) => licenses === undefined).map(({ name }) => name);
  expect(unlicensed).toEqual([]);
});

test("sha256sum agrees, and finds a file that has changed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-sums-"));
  try {
    mkdirSync(join(folder, "completions"));
    writeFileSync(join(folder, "vantage"), "one");
    writeFileSync(join(folder, "completions/vantage.fish"), "two");
    writeFileSync(join(folder, checksumsName), await checksumsOf(folder));
    const check = () =>
      Bun.spawnSync(["sha256sum", "-c", "--strict", checksumsName], { cwd: folder }).exitCode;
    expect(check()).toBe(0);
    writeFileSync(join(folder, "vantage"), "another");
    expect(check()).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("holes are read from what bun audit says", () => {
  const hole = { id: 1, severity: "high", title: "Prototype pollution", url: "https://advisory.example/1" };
  expect(advisoriesIn(JSON.stringify({ left: [hole] }))).toEqual([
    "left: high: Prototype pollution (https://advisory.example/1)",
  ]);
  expect(advisoriesIn("{}")).toEqual([]);
  expect(advisoriesIn("")).toBeNull();
});

const audited = await audit();
const why = audited.kind === "unanswered" ? `; NOT KNOWN HERE, as ${audited.reason}` : "";
test.skipIf(audited.kind === "unanswered")(`no shipped package has a known hole${why}`, () => {
  expect(audited.kind === "answered" ? audited.holes : []).toEqual([]);
});
