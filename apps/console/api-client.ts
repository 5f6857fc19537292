/** API calls on behalf of a page's visitor: the same routes, checks and rights as any other client's. */
import * as v from "valibot";
import { boundedBody } from "../../lib/base/api/bounded-body.ts";
import { parsedJson } from "../../lib/base/api/parsed-json.ts";

/** Bytes of a response: the largest page of a list has a few MB at most. */
const answerBytesMax = 16 * 2 ** 20;

/** Sends one request; rejects when the service cannot be reached. */
export type Ask = (path: string, init: RequestInit) => Promise<Response>;

export interface AnswerPage<Value> {
  readonly value: Value;
  /** Path with the query of the next page; null = this is the last one. */
  readonly next: string | null;
  /** Rows on all pages, for a list that was asked to count them. */
  readonly total: number | null;
}

/** A refusal by the API: text for people, and a stable code. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Requests context of addresses, too; without it where the gateway has no set of context. */
export async function withContext<Answer>(
  field: "asn" | "geo",
  ask: (more: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask({ with: field });
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "no_context") {
      return await ask({});
    }
    throw error;
  }
}

const problemSchema = v.object({ code: v.string(), detail: v.string() });

export class ApiClient {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async get<Schema extends v.GenericSchema>(path: string, schema: Schema): Promise<v.InferOutput<Schema>> {
    return (await this.page(path, schema)).value;
  }

  /** Rejects with ApiProblem, also for a malformed response (`unreadable_answer`). */
  async page<Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
  ): Promise<AnswerPage<v.InferOutput<Schema>>> {
    const response = await this.#ask(path, { headers: { accept: "application/json" } });
    const text = (await boundedBody(response, answerBytesMax, tooLong)).toString("utf8");
    if (!response.ok) {
      throw problemOf(response.status, text);
    }
    const read = v.safeParse(schema, parsedJson(text));
    if (!read.success) {
      const place = v.getDotPath(read.issues[0]) ?? "the whole";
      throw new ApiProblem(
        502,
        "unreadable_answer",
        `The answer of ${pathOf(path)} has another form at ${place}`,
      );
    }
    const total = response.headers.get("x-total-count");
    return {
      value: read.output,
      next: nextOf(response.headers.get("link")),
      total: total === null ? null : Number(total),
    };
  }
}

function tooLong(): ApiProblem {
  return new ApiProblem(502, "long_answer", `The answer has more than ${answerBytesMax} bytes`);
}

function problemOf(status: number, text: string): ApiProblem {
  const read = v.safeParse(problemSchema, parsedJson(text));
  if (read.success) {
    return new ApiProblem(status, read.output.code, read.output.detail);
  }
  // Of SQL, in ClickHouse's form.
  const [, code, reason] = /^Code: (\d+)\. DB::Exception: (.*)/s.exec(text) ?? [];
  return reason === undefined
    ? new ApiProblem(status, "unknown", `The service answers ${status}`)
    : new ApiProblem(status, `clickhouse_${code}`, reason.trim());
}

function pathOf(path: string): string {
  return path.split("?", 1)[0] ?? path;
}

/** RFC 8288; our APIs return a path with its query. */
function nextOf(link: string | null): string | null {
  return /<([^>]+)>;\s*rel="next"/.exec(link ?? "")?.[1] ?? null;
}
