/**
 * Gives every parser of foreign bytes a great many damaged inputs: what `npm run fuzz` does.
 *
 *   bun tests/fuzz/main.ts [--cases N] [--seed N] [NAME…]
 *
 * N cases in all (default 100,000,000): each parser has a million at least, scaled by its share, the WebAssembly
 * module the rest. A name picks parsers. Inputs that break one are kept in tests/fuzz/corpus, where the tests find
 * them. Prints one table; exit code 1 when a parser has failed.
 */
import { parseArgs } from "node:util";
import { grouped } from "../../lib/base/terminal/figures.ts";
import { type Column, RowsOutput } from "../../lib/base/terminal/rows-output.ts";
import { type Attacked, attack } from "./attack.ts";
import { targets } from "./targets/all.ts";
import { attackModule, type FrameKind } from "./targets/packets.ts";

const casesDefault = 100_000_000;
/** A hundredth of the whole run. */
const casesOfShare = 0.01;
const modules = {
  "packets, WebAssembly": "all",
  "packets of DNS, WebAssembly": "dns",
  "packets of sizes and NATs, WebAssembly": "shaped",
} as const satisfies Readonly<Record<string, FrameKind>>;
type ModuleName = keyof typeof modules;
/** Cases of the module between two lines of progress. */
const moduleTurn = 10_000_000;

const columns: readonly Column<Attacked>[] = [
  { name: "parser", head: "parser", value: ({ name }) => name },
  {
    name: "cases",
    head: "cases",
    align: "right",
    value: ({ cases }) => cases,
    cell: ({ cases }) => grouped(cases),
  },
  {
    name: "cases_per_s",
    head: "cases/s",
    align: "right",
    value: ({ cases, seconds }) => Math.round(cases / seconds),
    cell: ({ cases, seconds }) => grouped(Math.round(cases / seconds)),
  },
  { name: "failures", head: "failures", align: "right", value: ({ failures }) => failures.length },
];

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { cases: { type: "string" }, seed: { type: "string" } },
    allowPositionals: true,
  });
  const cases = Number(values.cases ?? casesDefault);
  const seed = Number(values.seed ?? Date.now() % 2 ** 32);
  const picked = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  console.error(`seed ${seed}`);
  const rows: Attacked[] = [];
  for (const target of picked) {
    rows.push(told(await attack(target, Math.ceil(cases * casesOfShare * target.share), seed)));
  }
  const rest = cases - rows.reduce((sum, row) => sum + row.cases, 0);
  const own = (Object.keys(modules) as ModuleName[]).filter(
    (name) => positionals.length === 0 || positionals.includes(name),
  );
  for (const name of rest > 0 ? own : []) {
    rows.push(told(moduleAlone(name, Math.ceil(rest / own.length), seed)));
  }
  return print(rows);
}

function told(row: Attacked): Attacked {
  console.error(`${row.name}: ${grouped(row.cases)} cases in ${row.seconds.toFixed(0)} s`);
  for (const failure of row.failures) {
    console.error(failure);
  }
  return row;
}

function moduleAlone(name: ModuleName, cases: number, seed: number): Attacked {
  const startedAt = performance.now();
  const failures: string[] = [];
  let done = 0;
  for (let turn = 0; done < cases && failures.length === 0; turn++) {
    try {
      done += attackModule(Math.min(moduleTurn, cases - done), seed + turn, modules[name]);
    } catch (error) {
      failures.push(`${name}, seed ${seed + turn}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { name, cases: done, seconds: (performance.now() - startedAt) / 1000, failures };
}

function print(rows: readonly Attacked[]): number {
  const output = new RowsOutput({ columns, format: "table", print: console.log, dim: (text) => text });
  for (const row of rows) {
    output.add(row);
  }
  output.finish();
  const failed = rows.filter(({ failures }) => failures.length > 0).length;
  console.log(`\n${grouped(rows.reduce((sum, { cases }) => sum + cases, 0))} cases`);
  console.log(`${rows.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
