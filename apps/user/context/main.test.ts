import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { runToEnd } from "../../../tests/run/said.ts";
import { vantageCommand } from "../../../tests/run/vantage-command.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-context-"));
const sets = join(folder, "sets");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function context(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await runToEnd([...vantageCommand, "context", "--dir", sets, ...args]);
  return { code: exitCode, out: stdout, err: stderr };
}

async function fileOf(name: string, text: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await Bun.write(path, text);
  return path;
}

async function originOn(date: string): Promise<{ asn: number; set_date: string }> {
  const { out } = await context("lookup", "--date", date, "-o", "ndjson", "8.8.8.8");
  return JSON.parse(out);
}

test("sets by day: an address has the origin of the day that is asked for", async () => {
  const old = await fileOf("old.dat", "8.8.8.0/24\t1\n");
  const packed = await fileOf("new.dat.gz", gzipSync("8.8.8.0/24\t2\n"));
  expect((await context("update", "--date", "2026-11-01", old)).out).toContain("set of 2026-11-01");
  expect((await context("update", "--date", "2026-11-20", packed)).err).toContain("pyasn, 1 records");
  expect(await originOn("2026-11-19")).toMatchObject({ asn: 1, set_date: "2026-11-01" });
  expect(await originOn("2026-11-20")).toMatchObject({ asn: 2, set_date: "2026-11-20" });
  expect(await originOn("2026-10-01")).toMatchObject({ asn: 1, set_date: "2026-11-01" });
  const { out } = await context("status", "-o", "csv");
  expect(out).toContain("2026-11-20,new.dat.gz,pyasn,1,");
});

test("an odd line is passed over, with its place and exit code 3; the set is made", async () => {
  const good = await fileOf("good.dat", "8.8.8.0/24\t7\n");
  const odd = await fileOf("odd.dat", "9.9.9.0/24\t9\n9.9.9.9/8\t9\n");
  const made = await context("update", "--date", "2026-11-21", good, odd);
  expect(made).toMatchObject({ code: 3, out: expect.stringContaining("2 origins") });
  const reason = "1 skipped: line without a prefix that can be read";
  expect(made.err).toContain(`${reason} (first: ${odd}, line 2: "9.9.9.9/8" is not a prefix)`);
  expect(await originOn("2026-11-21")).toMatchObject({ asn: 7 });
});

test("a file of which nothing can be read is refused, with its name, and the set of the day stays", async () => {
  const good = await fileOf("good.dat", "8.8.8.0/24\t8\n");
  const bad = await fileOf("bad.dat", "9.9.9.9/8\t9\n");
  const refused = await context("update", "--date", "2026-11-21", good, bad);
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain('bad.dat: line 1: "9.9.9.9/8" is not a prefix');
  expect(await originOn("2026-11-21")).toMatchObject({ asn: 7 });
  expect(readdirSync(sets).filter((name) => name.startsWith("."))).toEqual([]);
});

test.each([
  ["gzip", "gz"],
  ["bzip2", "bz2"],
])("a file packed by %s that ends early gives its whole lines", async (tool, ending) => {
  const lines = Buffer.from("8.8.8.0/24\t7\n8.8.4.0/24\t7\n");
  const packed = Bun.spawnSync([tool, "-c"], { stdin: lines }).stdout;
  const file = await fileOf(`early.dat.${ending}`, packed.subarray(0, -3));
  const { code, out, err } = await context("update", "--date", "2026-11-22", file);
  expect([code, out]).toEqual([3, expect.stringContaining("2 origins")]);
  expect(err).toContain(
    `1 skipped: rest of a file that is cut or damaged (first: ${file}, line 3: the packed file: `,
  );
});

test.each([
  ["damaged.gz", gzipSync("8.8.8.0/24\t2\n").subarray(0, 20)],
  ["damaged.bz2", Buffer.from("BZh9notpacked")],
])("%s is refused as damaged", async (name, bytes) => {
  const { code, err } = await context("update", await fileOf(name, bytes));
  expect([code, err]).toEqual([1, expect.stringContaining(`${name}: the packed file: `)]);
});

test.each([
  [["update"], "FILE is missing: data files"],
  [["lookup", "x"], 'ADDRESS "x" is not an IP address'],
  [["lookup", "--date", "2026-02-30", "8.8.8.8"], '"2026-02-30" is not a day, as 2026-11-22'],
  [["show"], "give one of update, load, status, lookup"],
])("vantage context %j is wrong usage", async (args, message) => {
  const { code, err } = await context(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test("a look-up without a set says how to make one", async () => {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const { code, err } = await context("lookup", "8.8.8.8", "--dir", empty);
  expect([code, err]).toEqual([1, expect.stringContaining("vantage context update FILE")]);
});

test("a set of another format is refused, with what to do about it", async () => {
  const date = "2026-10-05";
  await context("update", "--date", date, await fileOf("older.dat", "8.8.8.0/24\t5\n"));
  const manifest = join(sets, date, "manifest.json");
  await Bun.write(manifest, (await Bun.file(manifest).text()).replace('"format": 2', '"format": 1'));
  const { code, err } = await context("lookup", "--date", date, "8.8.8.8");
  expect([code, err]).toEqual([
    1,
    expect.stringContaining("format 1, and this version reads format 2: make it again"),
  ]);
  expect(err).toContain(`vantage context update --date ${date} FILE…`);
  rmSync(join(sets, date), { recursive: true });
});
