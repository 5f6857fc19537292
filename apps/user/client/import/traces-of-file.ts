/**
 * Traces in a file of warts, of RIPE Atlas or of Iris, one after the other; the first byte, and members of objects,
 * distinguish the formats. Results in JSON are one per line, or an array over any number of lines, as the API of Atlas
 * returns them. Unusable ones are skipped and counted.
 */

import * as v from "valibot";
import { upToCut } from "../../../../lib/base/list/cut-short.ts";
import { begun } from "../../../../lib/base/list/first-bytes.ts";
import { PassedOver } from "../../../../lib/base/list/passed-over.ts";
import { fileWords, recordChunks } from "../../../../lib/command/command/file-chunks.ts";
import { ImportError } from "../../../../lib/measuring/formats/import-error.ts";
import type { ImportedTrace } from "../../../../lib/measuring/formats/imported-trace.ts";
import { JsonTraceReader, lineBytesMax } from "../../../../lib/measuring/formats/json-trace-reader.ts";
import { wartsMagic } from "../../../../lib/measuring/formats/warts-bytes.ts";
import { WartsReader } from "../../../../lib/measuring/formats/warts-reader.ts";
import { agentIdSchema } from "../../../../lib/measuring/probing/agent-config.ts";
import { isBlank, openBracket } from "../../../../lib/net/wire/json-bytes.ts";
import { ArrayItems } from "./array-items.ts";
import { FileLines } from "./file-lines.ts";
import type { PlacedText, TextCutter } from "./text-cutter.ts";

/** Permitted times of results: the store drops older ones, and future ones are refused. */
export interface ImportTimes {
  readonly sinceUs: number;
  readonly untilUs: number;
}

export class ImportCounts {
  /** Objects other than traces, pings and multipaths. */
  passed = 0;
  /** Files with empty lists. */
  emptyLists = 0;
  readonly passedOver = new PassedOver();
}

/** Throws ImportError, or CommandError when the file cannot be opened. */
export async function* tracesOfFile(
  path: string,
  times: ImportTimes,
  counts: ImportCounts,
): AsyncGenerator<ImportedTrace, void, undefined> {
  const note: PassedOver["note"] = (odd) => {
    counts.passedOver.note({ ...odd, place: `${fileWords(path)}, ${odd.place}` });
  };
  const onCut = (bytes: number, detail: string) =>
    note({ reason: "rest of a file that is cut or damaged", place: `byte ${bytes}`, detail, isDamage: true });
  const { first, all } = await begun(upToCut(recordChunks(path), onCut), () => true);
  if (first.length === 0) {
    throw new ImportError("the whole file", "it is empty");
  }
  const isWarts = first[0] === wartsMagic >> 8;
  const traces = isWarts ? wartsTraces(all, counts, note) : atlasTraces(all, counts, note);
  let number = 0;
  for await (const trace of traces) {
    number++;
    const detail = timeFailure(trace, times);
    if (detail === null) {
      const name = trace.agent.replaceAll(/[^A-Za-z0-9._-]/g, "-").slice(0, agentCharsMax);
      yield { ...trace, agent: v.is(agentIdSchema, name) ? name : "imported" };
    } else {
      const reason = "result of a day that the store does not keep";
      note({ reason, place: `result ${number}`, detail, isDamage: true });
    }
  }
}

const agentCharsMax = 64;

function timeFailure({ startUs }: ImportedTrace, { sinceUs, untilUs }: ImportTimes): string | null {
  const [since, until] = [dayOf(sinceUs), dayOf(untilUs)];
  return startUs < sinceUs || startUs > untilUs
    ? `it is of ${dayOf(startUs)}; the store keeps what is from ${since} to ${until}`
    : null;
}

function dayOf(us: number): string {
  return new Date(us / 1000).toISOString().slice(0, 10);
}

type Chunks = AsyncIterable<Uint8Array>;
type Traces = AsyncGenerator<ImportedTrace, void, undefined>;

async function* wartsTraces(chunks: Chunks, counts: ImportCounts, note: PassedOver["note"]): Traces {
  const reader = new WartsReader(note);
  for await (const chunk of chunks) {
    yield* reader.add(chunk);
  }
  yield* reader.end();
  counts.passed += reader.passed;
}

async function* atlasTraces(chunks: Chunks, counts: ImportCounts, note: PassedOver["note"]): Traces {
  const { first, all } = await begun(chunks, (bytes) => bytes.some((byte) => !isBlank(byte)));
  const isArray = first.find((byte) => !isBlank(byte)) === openBracket;
  const limits = { bytesMax: lineBytesMax, note };
  const cutter: TextCutter = isArray ? new ArrayItems(limits) : new FileLines(limits);
  const reader = new JsonTraceReader(note);
  for await (const chunk of all) {
    yield* read(cutter.push(chunk), reader);
  }
  yield* read(cutter.end(), reader);
  counts.passed += reader.passed;
  counts.emptyLists += cutter.isEmptyList ? 1 : 0;
}

function* read(texts: Iterable<PlacedText>, reader: JsonTraceReader): Generator<ImportedTrace, void> {
  for (const { text, place } of texts) {
    yield* reader.results(text, place);
  }
}
