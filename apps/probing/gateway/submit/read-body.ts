/**
 * Reads the body of a submission, chunk by chunk, into an intake. Three forms:
 *
 *   application/json        {"metadata": [{"id", "ip_address"}], "probes": [PROBE, …]}
 *   application/x-ndjson    a line {"metadata": […]}, left out when the query has `agents`; then a probe per line
 *   text/csv, text/plain    a probe line per line; `agents` in the query
 *
 * A PROBE is [dst, src_port, dst_port, ttl, protocol], or an object with these names. Ports of JSON bodies are 1 to
 * 65535, as in existing gateways; the line forms follow the grammar of probe lines.
 */
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { JsonItemsReader, JsonSyntaxError } from "../../../../lib/net/wire/json-items.ts";
import { tooLongMessage } from "../../../../lib/net/wire/line-error.ts";
import { LineReader } from "../../../../lib/net/wire/line-reader.ts";
import { hasPortZero } from "../../../../lib/net/wire/probe-codec.ts";
import { ProbeJsonParser } from "../../../../lib/net/wire/probe-json.ts";
import { ProbeMessageReader } from "../../../../lib/net/wire/probe-message-reader.ts";
import { metadataBytesMax, probeJsonBytesMax } from "../limits.ts";
import type { ProbeIntake } from "./intake.ts";
import { MessageBatch } from "./message-batch.ts";
import { type RequestedTarget, requestedTargets } from "./requested-target.ts";

export type BodyForm = "json" | "ndjson" | "lines";

const forms: ReadonlyMap<string, BodyForm> = new Map([
  ["application/json", "json"],
  ["application/x-ndjson", "ndjson"],
  ["application/ndjson", "ndjson"],
  ["application/jsonl", "ndjson"],
  ["text/csv", "lines"],
  ["text/plain", "lines"],
]);

/** By the content type without parameters; null for any other. */
export function bodyFormOf(contentType: string | null): BodyForm | null {
  return forms.get((contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "") ?? null;
}

interface BodyReader {
  push(chunk: Uint8Array): void;
  /** The body's targets; null when it has none and need not. Throws Problem. */
  finish(): RequestedTarget[] | null;
}

/** `targetsInQuery`: the query has the agents, so the body need not. */
export function bodyReader(form: BodyForm, intake: ProbeIntake, targetsInQuery: boolean): BodyReader {
  switch (form) {
    case "json":
      return jsonReader(intake, targetsInQuery);
    case "ndjson":
      return ndjsonReader(intake, targetsInQuery);
    case "lines":
      return linesReader(intake);
  }
}

function jsonReader(intake: ProbeIntake, targetsInQuery: boolean): BodyReader {
  const batch = new MessageBatch((messages) => intake.take(messages));
  const parser = new ProbeJsonParser();
  const taken = (problem: string | null, index: number) => {
    if (problem === null) {
      batch.added();
    } else {
      intake.refuse(`probes.${index}`, `Probe at index ${index}`, problem);
    }
  };
  const reader = new JsonItemsReader({
    member: "probes",
    itemBytesMax: probeJsonBytesMax,
    restBytesMax: metadataBytesMax,
    onItem: (text, index) => {
      const at = batch.room();
      taken(parser.read(text, batch.bytes, at) ?? portProblem(batch.bytes, at), index);
    },
    plainItem: (chunk, from, index) => {
      const at = batch.room();
      const end = parser.readPlain(chunk, from, batch.bytes, at);
      if (end >= 0) {
        taken(portProblem(batch.bytes, at), index);
      }
      return end;
    },
  });
  return {
    push: (chunk) => {
      orProblem(() => reader.push(chunk));
      batch.hand();
    },
    finish: () => {
      const { members, hasItems } = orProblem(() => reader.finish());
      if (!hasItems) {
        const fields = [{ path: "probes", reason: "must be an array of probes" }];
        throw new Problem({ status: 422, code: "invalid_body", message: 'Missing "probes": […]', fields });
      }
      return targetsInQuery && members.metadata === undefined ? null : requestedTargets(members.metadata);
    },
  };
}

function portProblem(messages: Uint8Array, at: number): string | null {
  return hasPortZero(messages, at) ? "Ports must be between 1 and 65535" : null;
}

function orProblem<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      throw new Problem({ status: 400, code: "invalid_json", message: error.message });
    }
    throw error;
  }
}

function ndjsonReader(intake: ProbeIntake, targetsInQuery: boolean): BodyReader {
  const batch = new MessageBatch((messages) => intake.take(messages));
  const parser = new ProbeJsonParser();
  let targets: RequestedTarget[] | null = null;
  let isHead = !targetsInQuery;
  const onLine = (text: Uint8Array, line: number) => {
    if (isHead) {
      isHead = false;
      targets = headTargets(text);
      return;
    }
    const problem = parser.read(text, batch.bytes, batch.room());
    if (problem === null) {
      batch.added();
    } else {
      intake.refuse(`line ${line}`, `Line ${line}`, problem);
    }
  };
  const onLong = (bytes: number, line: number) =>
    intake.refuse(`line ${line}`, `Line ${line}`, tooLongMessage(bytes, metadataBytesMax));
  const reader = new LineReader({ onLine, onLong }, metadataBytesMax);
  return {
    push: (chunk) => {
      reader.push(chunk);
      batch.hand();
    },
    finish: () => {
      reader.finish();
      batch.hand();
      if (isHead) {
        requestedTargets(undefined);
      }
      return targets;
    },
  };
}

function headTargets(text: Uint8Array): RequestedTarget[] {
  let head: unknown;
  try {
    head = JSON.parse(new TextDecoder().decode(text));
  } catch {
    throw problem(400, "invalid_json", "The first line is not JSON");
  }
  return requestedTargets(
    typeof head === "object" && head !== null && "metadata" in head ? head.metadata : undefined,
  );
}

function linesReader(intake: ProbeIntake): BodyReader {
  const reader = new ProbeMessageReader("body", {
    onMessages: (messages) => intake.take(messages),
    onError: ({ line, message }) => intake.refuse(`line ${line}`, `Line ${line}`, message),
  });
  return {
    push: (chunk) => reader.push(chunk),
    finish: () => {
      reader.finish();
      return null;
    },
  };
}
