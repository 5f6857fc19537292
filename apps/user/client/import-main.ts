/** `vantage import`: imports other programs' results into a column store. */

import { counted } from "../../../lib/base/terminal/figures.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import { printLine } from "../../../lib/base/terminal/output.ts";
import { defineCommand } from "../../../lib/command/command/command.ts";
import { cannot, wrongUsage } from "../../../lib/command/command/command-error.ts";
import { complain } from "../../../lib/command/command/complain.ts";
import { exitCodes } from "../../../lib/command/command/exit-codes.ts";
import { fileWords } from "../../../lib/command/command/file-chunks.ts";
import { file, text } from "../../../lib/command/command/kinds.ts";
import { importTraces } from "../../../lib/engines/store/clickhouse/import-traces.ts";
import { keptDays } from "../../../lib/engines/store/clickhouse/kept-days.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { ImportError } from "../../../lib/measuring/formats/import-error.ts";
import type { ImportedTrace } from "../../../lib/measuring/formats/imported-trace.ts";
import { TraceSpool } from "./import/trace-spool.ts";
import { ImportCounts, type ImportTimes, tracesOfFile } from "./import/traces-of-file.ts";
import { storeAddressOf } from "./replies/run-results.ts";

const daySeconds = 86_400;

export const command = defineCommand({
  about: `Reads traces, pings and multipaths of scamper (warts), traces and pings of RIPE Atlas (JSON, one result a \
line or an array), and traces of Iris (JSON, one a line), also compressed with gzip or bzip2, into a \
measurement of its own, whose id it prints. Its agents are the monitors, and atlas-ID for probes of Atlas. \
Each file is read once, all of them before anything is stored. Results that cannot be used, and the rest of \
a file that ends early, are skipped and counted, with the place of the first.`,
  options: {
    store: {
      kind: text,
      placeholder: "ADDRESS",
      short: "s",
      notWith: ["config"],
      meaning: 'the column store: chdb:DIR of "vantage stack", or http(s)://[user[:password]@]host:port',
    },
    config: {
      kind: file,
      short: "c",
      meaning: "its store.address is the column store (see: vantage client --help)",
    },
  },
  arguments: {
    files: {
      kind: text,
      placeholder: "FILE",
      many: true,
      required: true,
      meaning:
        "warts, or JSON of RIPE Atlas or Iris, compressed with gzip or bzip2, or not; - is standard input",
    },
  },
  notes: `In the store, the column producer of imported replies begins with "import/". Results of days that the store \
does not keep any more are skipped. RTTs are rounded to 1 µs. Iris stores answers only: no loss is known \
of its traces.`,
  exits: {
    failure: "failure, or there is nothing to import",
    partial: "imported, but damaged results, or those of other days, were skipped",
  },
  examples: [
    "vantage import --store chdb:stack/store traces.warts",
    "vantage import -c client.yml atlas.json.gz",
    "vantage import --store chdb:stack/store iris.jsonl.bz2",
  ],
  act: async ({ store: storeAddress, config, files }) => {
    if (storeAddress === null && config === null) {
      throw wrongUsage("name a column store with --store or --config");
    }
    await using store = await openStore(storeAddressOf({ kind: "store", config, storeAddress }));
    const days = (await keptDays(store, ["replies"])).get("replies") ?? null;
    const nowUs = Date.now() * 1000;
    const untilUs = nowUs + daySeconds * 1e6;
    const times = { sinceUs: days === null ? 0 : nowUs - days * daySeconds * 1e6, untilUs };
    const counts = new ImportCounts();
    using spool = new TraceSpool();
    const found = await spool.fill(tracesOf(files, times, counts));
    for (const line of counts.passedOver.lines()) {
      complain("import", line);
    }
    if (found === 0 && counts.emptyLists < files.length) {
      const others = counts.passed === 0 ? "" : `, but ${counted(counts.passed, "result")} of other kinds`;
      throw cannot(`Nothing to import: there is no trace or ping that can be used${others}`);
    }
    const id = crypto.randomUUID();
    const { traces, probes, replies, longRtts } = await importTraces(store, id, spool.traces());
    printLine(id);
    const what = traces === 1 ? "1 trace or ping" : `${traces} traces and pings`;
    printLine(`${what}: ${counted(probes, "probe")}, ${counted(replies, "answer")}`);
    if (longRtts > 0) {
      printLine(`${longRtts} round-trip times above 6553.4 ms were stored as unknown`);
    }
    if (counts.passed > 0) {
      printLine(`${counted(counts.passed, "result")} of other kinds skipped`);
    }
    return counts.passedOver.hasDamage ? exitCodes.partial : exitCodes.ok;
  },
});

async function* tracesOf(
  files: readonly string[],
  times: ImportTimes,
  counts: ImportCounts,
): AsyncGenerator<ImportedTrace, void, undefined> {
  for (const path of files) {
    try {
      yield* tracesOfFile(path, times, counts);
    } catch (cause) {
      throw cause instanceof ImportError
        ? cannot(visible(`Cannot import ${fileWords(path)}: ${cause.message}`), { cause })
        : cause;
    }
  }
}
