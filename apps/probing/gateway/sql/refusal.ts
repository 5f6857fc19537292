/**
 * Failures in ClickHouse's form, because its clients parse them: a line of text, `Code: 516. DB::Exception: …`, and the
 * number in `X-ClickHouse-Exception-Code`.
 */
import { isFailure } from "../../../../lib/base/failure/failure.ts";
import { authProblem, failureProblem } from "../../../../lib/engines/http/failure-problem.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";

/** ClickHouse's numbers of errors that the door itself returns, with their names. */
const engineErrors = {
  badArguments: [36, "BAD_ARGUMENTS"],
  readonly: [164, "READONLY"],
  quotaExceeded: [201, "QUOTA_EXCEEDED"],
  tooManyQueries: [202, "TOO_MANY_SIMULTANEOUS_QUERIES"],
  notImplemented: [48, "NOT_IMPLEMENTED"],
  accessDenied: [497, "ACCESS_DENIED"],
  authenticationFailed: [516, "AUTHENTICATION_FAILED"],
  noServer: [210, "NETWORK_ERROR"],
  unknown: [1002, "UNKNOWN_EXCEPTION"],
} as const;

type EngineError = keyof typeof engineErrors;

/** A refusal of the door: `message` names reason and next step. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly error: EngineError;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    error: EngineError,
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.error = error;
    this.status = status;
    this.headers = headers;
  }
}

/** The response to any failure; `requestId` lets the operator find it in the log. */
export function refusalResponse(error: unknown): Response {
  const { error: name, status, message, headers } = refusalOf(error);
  const [number, word] = engineErrors[name];
  return new Response(`Code: ${number}. DB::Exception: ${message}. (${word})\n`, {
    status,
    headers: {
      ...headers,
      "content-type": "text/plain; charset=UTF-8",
      "x-clickhouse-exception-code": String(number),
    },
  });
}

/** Rethrows what is a bug: the app logs it. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) {
    return error;
  }
  const problem = problemOf(error);
  if (problem === null) {
    throw error;
  }
  const { status, message } = problem;
  const headers = Object.fromEntries(
    ["www-authenticate", "retry-after"].flatMap((header) => {
      const value = problem.toResponse("/").headers.get(header);
      return value === null ? [] : [[header, value]];
    }),
  );
  return new Refusal(errorOf(status), status, message, headers);
}

function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) {
    return error;
  }
  return isFailure(error, "auth") ? authProblem(error) : failureProblem(error);
}

function errorOf(status: number): EngineError {
  switch (status) {
    case 401:
      return "authenticationFailed";
    case 403:
      return "accessDenied";
    case 429:
      return "tooManyQueries";
    case 503:
      return "noServer";
    default:
      return "badArguments";
  }
}
