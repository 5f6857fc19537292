/**
 * Traces in a file of warts or of RIPE Atlas, one after the other; which of them it is, its first byte says. A file of
 * gzip is unpacked while it is read.
 */

import * as v from "valibot";
import { gunzipped, isGzip } from "../../../lib/disk/gunzipped.ts";
import { systemReason } from "../../../lib/failure/system-reason.ts";
import { AtlasReader, lineBytesMax } from "../../../lib/formats/atlas-reader.ts";
import { ImportError } from "../../../lib/formats/import-error.ts";
import type { ImportedTrace } from "../../../lib/formats/imported-trace.ts";
import { wartsMagic } from "../../../lib/formats/warts-bytes.ts";
import { WartsReader } from "../../../lib/formats/warts-reader.ts";
import { agentIdSchema } from "../../../lib/probing/agent-config.ts";

/** When results must be from: the store drops older ones, and takes none of the future. */
export interface ImportTimes {
  readonly sinceUs: number;
  readonly untilUs: number;
}

interface FileCounts {
  /** Objects that are none of traces, pings and multipaths. */
  passed: number;
}

/** Throws ImportError, or an error of the system. */
export async function* tracesOfFile(
  path: string,
  times: ImportTimes,
  counts: FileCounts,
): AsyncGenerator<ImportedTrace, void, undefined> {
  const file = Bun.file(path);
  const isPacked = isGzip(await file.slice(0, 2).bytes());
  const open = () => (isPacked ? unpacked(file.stream()) : file.stream());
  const isWarts = (await firstOf(open())) === wartsMagic >> 8;
  const traces = isWarts ? wartsTraces(open(), counts) : atlasTraces(open(), counts);
  let number = 0;
  for await (const trace of traces) {
    number++;
    const name = trace.agent.replaceAll(/[^A-Za-z0-9._-]/g, "-").slice(0, agentCharsMax);
    const { sinceUs, untilUs } = times;
    if (trace.startUs < sinceUs || trace.startUs > untilUs) {
      const [since, until] = [dayOf(sinceUs), dayOf(untilUs)];
      throw new ImportError(
        `result ${number}`,
        `it is of ${dayOf(trace.startUs)}; the store keeps what is from ${since} to ${until}`,
      );
    }
    yield { ...trace, agent: v.is(agentIdSchema, name) ? name : "imported" };
  }
}

const agentCharsMax = 64;

function dayOf(us: number): string {
  return new Date(us / 1000).toISOString().slice(0, 10);
}

type Pieces = AsyncIterable<Uint8Array>;

async function* unpacked(pieces: Pieces): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* gunzipped(pieces);
  } catch (cause) {
    throw new ImportError("the packed file", systemReason(cause));
  }
}

/** The first byte; undefined for an empty file. */
async function firstOf(pieces: Pieces): Promise<number | undefined> {
  for await (const [first] of pieces) {
    if (first !== undefined) {
      return first;
    }
  }
  return undefined;
}

async function* wartsTraces(
  pieces: Pieces,
  counts: FileCounts,
): AsyncGenerator<ImportedTrace, void, undefined> {
  const reader = new WartsReader();
  for await (const piece of pieces) {
    yield* reader.add(piece);
  }
  reader.end();
  counts.passed += reader.passed;
}

async function* atlasTraces(
  pieces: Pieces,
  counts: FileCounts,
): AsyncGenerator<ImportedTrace, void, undefined> {
  const reader = new AtlasReader();
  for await (const line of linesOf(pieces)) {
    const trace = reader.line(line);
    if (trace !== null) {
      yield trace;
    }
  }
  counts.passed += reader.passed;
}

async function* linesOf(pieces: Pieces): AsyncGenerator<string, void, undefined> {
  let [parts, length, number]: [Uint8Array[], number, number] = [[], 0, 1];
  const take = () => {
    const text = new TextDecoder().decode(Buffer.concat(parts));
    [parts, length] = [[], 0];
    number++;
    return text;
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
      parts.push(piece.subarray(from, end));
      yield take();
      from = end + 1;
    }
    parts.push(piece.slice(from));
    length += piece.length - from;
    if (length > lineBytesMax) {
      throw new ImportError(
        `line ${number}`,
        `it has more than ${lineBytesMax} bytes: give one result a line`,
      );
    }
  }
  yield take();
}

const newline = 10;
