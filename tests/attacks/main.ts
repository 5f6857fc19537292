/**
 * Plays every attack that docs/internals/attacks.md names, and prints one table: what `npm run attacks` does.
 *
 *   bun tests/attacks/main.ts [SECTION]
 *
 * Each test file runs once, in the order of the tables; then what makes a gateway compute is played and measured, which
 * wants a machine that is idle: the section "Bounded work" alone. Exit code 1 when an attack was not held off.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Column, RowsOutput } from "../../lib/base/terminal/rows-output.ts";
import { type Attack, attacksIn, type TestName } from "./attack-tables.ts";
import { type RunTest, testsOfReport } from "./report-tests.ts";
import { playWork } from "./work/play-work.ts";

const root = join(import.meta.dirname, "../..");
/** Tests of the laboratory and of real engines have ceilings of their own. */
const testMsMax = 120_000;

/** The section whose attacks are measured besides. */
const workSection = "Bounded work";

interface Row extends Attack {
  readonly verdict: "held off" | "NOT HELD OFF" | "not played";
  readonly played: number;
}

const columns: readonly Column<Row>[] = [
  { name: "section", head: "section", value: ({ section }) => section },
  { name: "attack", head: "attack", value: ({ attack }) => attack },
  { name: "test", head: "test", value: ({ tests }) => tests.map(nameOf).join("; ") },
  { name: "played", head: "tests", value: ({ played }) => played, align: "right" },
  { name: "verdict", head: "", value: ({ verdict }) => verdict },
];

function nameOf({ file, part }: TestName): string {
  return part === "" ? file : `${file} "${part}"`;
}

async function main(section: string | undefined): Promise<number> {
  const all = attacksIn(readFileSync(join(root, "docs/internals/attacks.md"), "utf8"));
  const attacks = all.filter((one) => section === undefined || one.section === section);
  if (attacks.length === 0) {
    console.error(`No such section; there are ${[...new Set(all.map((one) => one.section))].join(", ")}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "vantage-attacks-"));
  try {
    const files = [...new Set(attacks.flatMap(({ tests }) => tests.map(({ file }) => file)))];
    const ran = new Map<string, RunTest[]>();
    for (const [index, file] of files.entries()) {
      ran.set(file, await runFile(file, join(folder, `${index}.xml`)));
    }
    return print(attacks.map((attack) => rowOf(attack, ran)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runFile(file: string, report: string): Promise<RunTest[]> {
  const startedAt = performance.now();
  const reporter = ["--reporter=junit", `--reporter-outfile=${report}`];
  const child = Bun.spawn(
    [process.execPath, "test", "--no-orphans", "--timeout", String(testMsMax), ...reporter, `./${file}`],
    { cwd: root, env: { ...process.env, NO_COLOR: "1" }, stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  );
  const said = await new Response(child.stderr).text();
  const exitCode = await child.exited;
  console.error(
    `${exitCode === 0 ? "ok    " : "FAILED"}  ${file}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
  if (exitCode !== 0) {
    console.error(said);
  }
  return testsOfReport(readFileSync(report, "utf8"));
}

function rowOf(attack: Attack, ran: ReadonlyMap<string, readonly RunTest[]>): Row {
  const own = attack.tests.map(({ file, part }) =>
    (ran.get(file) ?? []).filter(({ name, isSkipped }) => !isSkipped && name.includes(part)),
  );
  const played = own.flat();
  if (played.some(({ isFailed }) => isFailed)) {
    return { ...attack, played: played.length, verdict: "NOT HELD OFF" };
  }
  const isWhole = own.every((tests) => tests.length > 0);
  return { ...attack, played: played.length, verdict: isWhole ? "held off" : "not played" };
}

function print(rows: readonly Row[]): number {
  const output = new RowsOutput({ columns, format: "table", print: console.log, dim: (text) => text });
  for (const row of rows) {
    output.add(row);
  }
  output.finish();
  const held = rows.filter(({ verdict }) => verdict === "held off").length;
  console.log(`\n${held} passed, ${rows.length - held} failed`);
  return held === rows.length ? 0 : 1;
}

const [, , section] = Bun.argv;
const isWork = section === undefined || section === workSection;
const exitCode = await main(section);
process.exitCode = isWork && (await playWork()) > 0 ? 1 : exitCode;
