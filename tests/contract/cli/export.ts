/** `vantage export`: results in a folder of their own, from a store and through a gateway; foreign readers; checks. */
import { beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { pythonFolder } from "../../run/python-folder.ts";
import { place, store, west } from "./shared-place.ts";

const packages = ["pyarrow==26.0.1", "duckdb==1.4.1"] as const;
const dayMs = 86_400_000;
const nowMs = Date.now();
const days = [nowMs - dayMs, nowMs].map((ms) => new Date(ms).toISOString().slice(0, 10));
const cells = Array.from({ length: 30 }, (_, i) => ({
  ...{ destination: "203.0.113.9", source: "192.0.2.7", srcPort: 24_000 + i, ttl: 1 + (i % 5) },
}));
const folder = mkdtempSync(join(tmpdir(), "vantage-export-"));
/** Known to the store alone: 20 replies on one day, 10 on the next. */
const stored = "5e0a1d0c-0000-4000-8000-000000000001";

beforeAll(async () => {
  await pythonFolder(...packages);
  await place.logIn("ann");
  await store.insertProbes(
    cells.map((cell, index) => ({
      ...cell,
      measurement: stored,
      agent: "west",
      index,
      timeMs: nowMs - dayMs - 1000,
    })),
  );
  await insertReplies(stored, (i) => (i < 20 ? nowMs - dayMs : nowMs));
});

async function insertReplies(measurement: string, timeMs: (i: number) => number): Promise<void> {
  await store.insertReplies(
    cells.map((cell, i) => ({
      ...{ ...cell, measurement, agent: "west", from: "198.51.100.1", rttTenthMs: i === 7 ? 65_535 : 13 * i },
      timeMs: timeMs(i),
    })),
  );
}

async function exported(name: string, ...args: readonly string[]) {
  const out = join(folder, name);
  return { out, ...(await place.run("ann", ["export", "--out", out, ...args])) };
}

function fromStore(name: string, ...args: readonly string[]) {
  return exported(name, "--store", store.address, stored, ...args);
}

/** Names and bytes of all files. */
function filesIn(path: string): Map<string, string> {
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((one) => [one.slice(path.length + 1), readFileSync(one, "latin1")]));
}

function verified(path: string) {
  return place.run("ann", ["export", "--verify", path]);
}

const reader = `
import json, sys, duckdb, pyarrow.dataset as ds
replies = ds.dataset(sys.argv[1] + "/replies", format="parquet").to_table()
arrow = [replies.num_rows, round(sum(x for x in replies["rtt_ms"].to_pylist() if x is not None), 3)]
duck = duckdb.sql(f"SELECT count(*), round(sum(rtt_ms), 3) FROM '{sys.argv[1]}/replies/*.parquet'").fetchone()
probes = duckdb.sql(f"SELECT count(*), sum(probe_src_port) FROM '{sys.argv[1]}/probes.parquet'").fetchone()
print(json.dumps([arrow, list(duck), [int(x) for x in probes]]))
`;

describe("from a column store", () => {
  test("what others read of it adds up to what we show", async () => {
    const { out, stdout, exitCode } = await fromStore("read");
    expect({ stdout, exitCode }).toEqual({ stdout: `${out}: 3 files of results, 60 rows\n`, exitCode: 0 });
    const shown = await place.run("ann", ["replies", "--store", store.address, "-o", "ndjson", stored]);
    const rows = shown.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { rtt_ms: number | null });
    const rttMs = rows.reduce((sum, row) => sum + (row.rtt_ms ?? 0), 0);
    const ports = cells.reduce((sum, { srcPort }) => sum + srcPort, 0);
    const python = join(await pythonFolder(...packages), "bin/python");
    const read = Bun.spawnSync([python, "-c", reader, out]);
    expect(read.stderr.toString()).toBe("");
    const replies = [rows.length, Number(rttMs.toFixed(3))];
    expect(JSON.parse(read.stdout.toString())).toEqual([replies, replies, [cells.length, ports]]);
    expect(rows).toHaveLength(30);
  });

  test("the same results give the same bytes, and sha256sum takes the manifest", async () => {
    const args = ["--licence", "CC-BY-4.0", "--author", "Ann O'Nym", "--author", "C & A", "--seed", "7"];
    const [one, two] = [await fromStore("one", ...args), await fromStore("two", ...args)];
    expect([one.exitCode, two.exitCode, one.stderr]).toEqual([0, 0, []]);
    const files = filesIn(one.out);
    expect([...filesIn(two.out)]).toEqual([...files]);
    expect([...files.keys()]).toEqual([
      ...["CITATION.cff", "README.md", "SHA256SUMS", "citation.bib", "export.json", "probes.parquet"],
      ...days.map((day) => `replies/${day}.parquet`),
    ]);
    const sums = Bun.spawnSync(["sha256sum", "--check", "--quiet", "SHA256SUMS"], { cwd: one.out });
    expect([sums.exitCode, sums.stdout.toString()]).toEqual([0, ""]);
    expect(JSON.parse(files.get("export.json") ?? "")).toMatchObject({
      ...{ format: "vantage-export-1", measurement_id: stored, seed: 7, licence: "CC-BY-4.0", gateway: null },
      files: [
        ...days.map((day, i) => ({ path: `replies/${day}.parquet`, rows: i === 0 ? 20 : 10 })),
        { path: "probes.parquet", rows: 30 },
      ],
    });
    expect(parse(files.get("CITATION.cff") ?? "")).toMatchObject({
      ...{ "cff-version": "1.2.0", license: "CC-BY-4.0", "date-released": days[1] },
      authors: [{ name: "Ann O'Nym" }, { name: "C & A" }],
      identifiers: [{ type: "other", value: `urn:uuid:${stored}` }],
    });
    expect(files.get("citation.bib")).toContain("author = {{Ann O'Nym} and {C \\& A}},");
    expect(await verified(one.out)).toEqual({
      ...{ exitCode: 0, stderr: [] },
      stdout: `${one.out}: 7 files, 60 rows, as they were exported\n`,
    });
  });

  test("each difference is named", async () => {
    const { out } = await fromStore("changed");
    const [first, second] = days.map((day) => `replies/${day}.parquet`);
    const bytes = readFileSync(join(out, String(first)));
    bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
    writeFileSync(join(out, String(first)), bytes);
    cpSync(join(out, "probes.parquet"), join(out, String(second)));
    rmSync(join(out, "README.md"));
    writeFileSync(join(out, "more.txt"), "");
    const { exitCode, stdout } = await verified(out);
    expect({ exitCode, lines: stdout.split("\n") }).toEqual({
      exitCode: 1,
      lines: [
        "more.txt: it is not in the manifest",
        "README.md: there is no such file",
        `${first}: its content is not what was exported`,
        `${second}: its content is not what was exported`,
        `${second}: it has 30 rows, and had 10`,
        `${out}: 5 differences`,
        "",
      ],
    });
  });

  test("a file that is cut, and one that is a link", async () => {
    const { out } = await fromStore("cut");
    writeFileSync(join(out, "probes.parquet"), "0".repeat(64));
    renameSync(join(out, "README.md"), join(folder, "README.md"));
    symlinkSync(join(folder, "README.md"), join(out, "README.md"));
    const { exitCode, stdout } = await verified(out);
    expect({ exitCode, lines: stdout.split("\n") }).toEqual({
      exitCode: 1,
      lines: [
        "README.md: it is not a file",
        "probes.parquet: its content is not what was exported",
        "probes.parquet: its rows cannot be counted: it is not a Parquet file, or its end is damaged",
        `${out}: 3 differences`,
        "",
      ],
    });
  });

  test("the sets of context of its days are named, with their checksums", async () => {
    const [dir, data] = [join(folder, "context"), join(folder, "ipasn.dat")];
    writeFileSync(data, "198.51.100.0/24\t64500\n");
    const made = await place.run("ann", ["context", "update", "--dir", dir, "--date", String(days[0]), data]);
    expect(made.exitCode).toBe(0);
    const { out } = await fromStore("with-context", "--context", dir);
    const manifest = JSON.parse(readFileSync(join(dir, String(days[0]), "manifest.json"), "utf8"));
    const { context_sets: sets } = JSON.parse(readFileSync(join(out, "export.json"), "utf8"));
    const { date, made_at, files, sources } = manifest;
    expect(sets).toEqual([{ date, days, made_at, files, sources }]);
    // Without --context the usual folder is looked at.
    const usual = join(folder, "usual-context");
    const args = ["export", "--out", usual, "--store", store.address, stored];
    const run = await place.run("ann", args, { environment: { VANTAGE_CONTEXT_DIR: dir } });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(readFileSync(join(usual, "export.json"), "utf8")).context_sets).toEqual(sets);
    expect(sources[0].sha256).toBe(new Bun.CryptoHasher("sha256").update(readFileSync(data)).digest("hex"));
  });

  test.each([
    ["leads out of the folder", `${"0".repeat(64)}  ../secret\n`],
    ["is none", "hello\n"],
  ])("a manifest whose line %s is refused", async (_, line) => {
    const { out } = await fromStore(`manifest-${line.length}`);
    appendFileSync(join(out, "SHA256SUMS"), line);
    const { exitCode, stderr } = await verified(out);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: [`vantage export: Cannot verify ${out}: line 8 of SHA256SUMS is not one of a manifest`],
    });
  });

  test("what is not an export cannot be verified", async () => {
    const { exitCode, stderr } = await verified(join(folder, "nowhere"));
    expect({ exitCode, said: stderr[0] }).toEqual({
      exitCode: 1,
      said: `vantage export: Cannot verify ${folder}/nowhere: SHA256SUMS: there is no such file; is it an export?`,
    });
  });
});

describe("nothing is made where it cannot be whole", () => {
  test("the folder is filled", async () => {
    mkdirSync(join(folder, "filled"));
    writeFileSync(join(folder, "filled/mine.txt"), "mine");
    const { out, exitCode, stderr } = await fromStore("filled");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: [`vantage export: Cannot export to ${out}: it is there, and not empty; name another folder`],
    });
    expect([...filesIn(out)]).toEqual([["mine.txt", "mine"]]);
  });

  test("another export is at it", async () => {
    mkdirSync(join(folder, "busy.partial"));
    const { exitCode, stderr } = await fromStore("busy");
    expect([exitCode, stderr.join("\n")]).toEqual([
      1,
      expect.stringContaining("busy.partial is there, of an export"),
    ]);
    expect(readdirSync(join(folder, "busy.partial"))).toEqual([]);
  });

  test("nothing has come back; no context; an empty folder is taken", async () => {
    const nothing = await exported("nothing", "--store", store.address, "no-such-measurement");
    expect([nothing.exitCode, nothing.stderr[0]]).toEqual([
      1,
      expect.stringContaining("nothing has come back yet"),
    ]);
    const without = await fromStore("nothing", "--context", join(folder, "no-sets"));
    expect([without.exitCode, without.stderr[0]]).toEqual([
      1,
      expect.stringContaining("No set of context in"),
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith("nothing"))).toEqual([]);
    mkdirSync(join(folder, "nothing"));
    expect((await fromStore("nothing")).exitCode).toBe(0);
  });
});

test("through the gateway: the same results, and what it says of the measurement", async () => {
  const input = cells.map(({ srcPort, ttl }) => `203.0.113.9,${srcPort},33434,${ttl},udp\n`).join("");
  const { stdout } = await place.run("ann", ["send", "-a", "west", "-o", "json"], { input });
  const { measurement_id: id } = JSON.parse(stdout) as { measurement_id: string };
  await store.insertProbes(cells.map((cell, index) => ({ ...cell, measurement: id, agent: "west", index })));
  await insertReplies(id, () => Date.now());
  const early = await exported("gateway", id);
  expect([early.exitCode, early.stderr]).toEqual([
    1,
    [
      `vantage export: Cannot export ${id}: it has not ended; wait for it (see: vantage follow), or give --unfinished`,
    ],
  ]);
  await west.report(id, { sent_probes: 30, is_complete: true, received_replies: 30 });
  const [own, direct] = [
    await exported("gateway", id),
    await exported("direct", "--store", store.address, id),
  ];
  expect([own.exitCode, direct.exitCode]).toEqual([0, 0]);
  const [files, others] = [filesIn(own.out), filesIn(direct.out)];
  for (const name of [...files.keys()].filter((one) => one.endsWith(".parquet"))) {
    expect([name, files.get(name) === others.get(name)]).toEqual([name, true]);
  }
  expect(JSON.parse(files.get("measurement.json") ?? "")).toMatchObject({
    ...{
      measurement_id: id,
      status: "complete",
      probes: 30,
      agents: [{ agent_id: "west", expected_probes: 30 }],
    },
  });
  expect(JSON.parse(files.get("export.json") ?? "")).toMatchObject({
    gateway: place.address,
    complete: true,
  });
  expect((await verified(own.out)).exitCode).toBe(0);
  rmSync(folder, { recursive: true });
});
