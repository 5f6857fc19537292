/**
 * Look-ups of origins in a table of the Internet's size, beside libraries and a database, in turns; then views with
 * what is known of addresses beside the same without.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { update } from "../../../apps/user/context/update.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { formatPrefix } from "../../../lib/net/ip/prefix.ts";
import { prefixOfWords } from "../../../lib/net/ip/words.ts";
import { seeded } from "../../contract/context/tools.ts";
import { pythonFolder } from "../../run/python-folder.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { maxmindProgram, pyasnProgram } from "./foreign-subjects.ts";
import { addressInside, internetTable, type TableRoute } from "./internet-table.ts";
import { mmdbFile } from "./mmdb-file.ts";
import { type SubjectRun, subjectRun } from "./subject-run.ts";
import { viewFigures } from "./views.ts";

const prefixesDefault = 1_200_000;
const addressesMax = 1_000_000;
/** Replies in the store for each prefix, of which a ninth are shown. */
const repliesEach = 10;
const maxmind = "maxmind@5.0.7";

/** `--count` is the number of prefixes. Throws where two subjects do not find the same origins. */
export async function benchContext(options: BenchOptions, folder: string): Promise<BenchReport> {
  const prefixes = options.count ?? prefixesDefault;
  const updateSec = await makeFiles(folder, prefixes);
  const subjects = await commands(folder);
  const runs = new Map<string, SubjectRun[]>(subjects.map(([name]) => [name, []]));
  for (let round = 1; round <= options.rounds; round++) {
    for (const [name, command] of subjects) {
      runs.get(name)?.push(await subjectRun(command, folder));
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  checkSums(runs);
  const views = await viewFigures(folder, prefixes * repliesEach, options.rounds);
  const rounds = (value: (run: SubjectRun) => number) =>
    new Map([...runs].map(([name, all]) => [name, all.map(value)]));
  return {
    bench: "context",
    what: `Origins in a table of ${prefixes} prefixes of both families, median of ${options.rounds} rounds`,
    subjects: [...subjects.map(([name]) => name), ...views.subjects],
    references: [...subjects.slice(1).map(([name]) => name), ...views.references],
    figures: [
      { unit: "million look-ups/s a core", decimals: 2, rounds: rounds(({ perSec }) => perSec / 1e6) },
      { unit: "s to load", decimals: 2, rounds: rounds(({ loadSec }) => loadSec) },
      { unit: "MB", decimals: 0, rounds: rounds(({ loadMb }) => loadMb) },
      ...views.figures,
    ],
    notes: [
      `Addresses: ${Math.min(addressesMax, prefixes)} random ones inside prefixes. All found the same origins.`,
      "vantage: addresses of 16 bytes, all in one call; ip_trie: a column of IPv6; pyasn (C, called from Python) and " +
        "maxmind (Node) take text, one address a call.",
      "A core's time is the processor time of all threads of the process, so other work on the machine counts little.",
      "Views: the replies and paths of one measurement, read by `vantage replies --store` and thrown away; CPU s are " +
        "those of client and store together.",
      `\`vantage context update\` made the set from pyasn's text file in ${updateSec.toFixed(1)} s, once.`,
    ],
  };
}

/** Returns the time that our set took, in seconds. */
async function makeFiles(folder: string, prefixes: number): Promise<number> {
  const random = seeded(7);
  const routes = internetTable(prefixes, random);
  const addresses = Array.from({ length: Math.min(addressesMax, prefixes) }, () =>
    addressInside(routes[Math.floor(random() * routes.length)] ?? none, random),
  );
  mkdirSync(join(folder, "clickhouse"));
  writeFileSync(join(folder, "addresses.bin"), Buffer.concat(addresses));
  writeFileSync(join(folder, "addresses.txt"), addresses.map(formatAddress).join("\n"));
  writeFileSync(join(folder, "table.dat"), routes.map(lineOf).join(""));
  writeFileSync(join(folder, "table.mmdb"), mmdbFile(routes));
  const startedAt = performance.now();
  await update({
    dir: join(folder, "sets"),
    date: "2026-11-22",
    keepPrivate: false,
    files: [join(folder, "table.dat")],
    note: () => {},
  });
  return (performance.now() - startedAt) / 1000;
}

const none: TableRoute = { base: [0, 0, 0, 0], bits: 0, asn: 0 };

function lineOf({ base, bits, asn }: TableRoute): string {
  return `${formatPrefix(prefixOfWords(base, bits))}\t${asn}\n`;
}

async function commands(folder: string): Promise<[name: string, command: string[]][]> {
  const python = join(await pythonFolder("pyasn==1.6.2"), "bin/python");
  const install = Bun.spawn(["npm", "install", "--no-save", "--prefix", folder, maxmind], {
    stdout: "ignore",
    stderr: "pipe",
  });
  const complaint = await new Response(install.stderr).text();
  if ((await install.exited) !== 0) {
    throw new Error(`Cannot install ${maxmind}: ${complaint.trim()}`);
  }
  const own = join(import.meta.dirname, "own-subject.ts");
  const clickhouse = join(import.meta.dirname, "clickhouse-subject.ts");
  return [
    ["vantage", [process.execPath, own]],
    ["pyasn 1.6.2", [python, "-c", pyasnProgram]],
    [maxmind.replace("@", " "), ["node", "-e", maxmindProgram]],
    ["ClickHouse ip_trie", [process.execPath, clickhouse]],
  ];
}

function checkSums(runs: ReadonlyMap<string, readonly SubjectRun[]>): void {
  const sums = [...runs].map(([name, all]) => ({ name, sum: all[0]?.sum }));
  const other = sums.find(({ sum }) => sum !== sums[0]?.sum);
  if (other !== undefined) {
    throw new Error(`${other.name} finds other origins than ours: sums ${sums[0]?.sum} and ${other.sum}`);
  }
}
