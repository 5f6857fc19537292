/** `vantage import`: results of other programs into a column store. */

import { defineCommand } from "../../lib/command/command.ts";
import { cannot, wrongUsage } from "../../lib/command/command-error.ts";
import { exitCodes } from "../../lib/command/exit-codes.ts";
import { file, text } from "../../lib/command/kinds.ts";
import { ImportError } from "../../lib/formats/import-error.ts";
import type { ImportedTrace } from "../../lib/formats/imported-trace.ts";
import { importTraces, keptDays } from "../../lib/store/clickhouse/import-traces.ts";
import { openStore } from "../../lib/store/clickhouse/open.ts";
import { visible } from "../../lib/terminal/foreign-text.ts";
import { printLine } from "../../lib/terminal/output.ts";
import { type ImportTimes, tracesOfFile } from "./import/traces-of-file.ts";
import { storeAddressOf } from "./replies/run-results.ts";

const daySeconds = 86_400;

export const command = defineCommand({
  about: `Reads traces, pings and multipaths of scamper (warts), traces and pings of RIPE Atlas (JSON, one result a \
line), also compressed with gzip, into a measurement of its own, whose id it prints. Its agents are the monitors, and \
atlas-ID for probes of Atlas. All files are read to their end first: a broken one is refused, and nothing is stored.`,
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
      meaning: "its store.address says where the column store is (see: vantage client --help)",
    },
  },
  arguments: {
    files: {
      kind: text,
      placeholder: "FILE",
      many: true,
      required: true,
      meaning: "warts, or JSON of RIPE Atlas, compressed with gzip or not",
    },
  },
  notes: `In the store, the column producer of imported replies begins with "import/". What the store does not keep \
any more, by the days for which it keeps results, is refused. RTTs are rounded to 0.1 ms.`,
  examples: [
    "vantage import --store chdb:stack/store traces.warts",
    "vantage import -c client.yml atlas.json.gz",
  ],
  act: async ({ store: storeAddress, config, files }) => {
    if (storeAddress === null && config === null) {
      throw wrongUsage("name a column store with --store or --config");
    }
    await using store = await openStore(storeAddressOf({ kind: "store", config, storeAddress }));
    const days = await keptDays(store);
    const nowUs = Date.now() * 1000;
    const untilUs = nowUs + daySeconds * 1e6;
    const times = { sinceUs: days === null ? 0 : nowUs - days * daySeconds * 1e6, untilUs };
    for await (const _ of tracesOf(files, times, { passed: 0 })) {
      // Only to see that all of them can be read.
    }
    const id = crypto.randomUUID();
    const counts = { passed: 0 };
    const { traces, probes, replies } = await importTraces(store, id, tracesOf(files, times, counts));
    printLine(id);
    printLine(`${traces} traces and pings: ${probes} probes, ${replies} answers`);
    if (counts.passed > 0) {
      printLine(`${counts.passed} results of other kinds were passed over`);
    }
    return exitCodes.ok;
  },
});

async function* tracesOf(
  files: readonly string[],
  times: ImportTimes,
  counts: { passed: number },
): AsyncGenerator<ImportedTrace, void, undefined> {
  for (const path of files) {
    try {
      yield* tracesOfFile(path, times, counts);
    } catch (cause) {
      throw cause instanceof ImportError
        ? cannot(visible(`Cannot import ${path}: ${cause.message}`), { cause })
        : cause;
    }
  }
}
