/**
 * Every failure of a service in one shape: problem details (RFC 9457) with a stable `code`.
 *
 * `error` and `message` repeat status and detail for programs that were written for the first gateways; there `error`
 * is a number, and a text where a token was refused.
 */

export interface FieldProblem {
  /** `probes.3.1`; empty when the whole is meant. */
  readonly path: string;
  readonly reason: string;
}

interface ProblemOptions {
  readonly status: number;
  /** snake_case; never changes. */
  readonly code: string;
  /** For people: the failed action, the reason, and the next step. No secret, SQL, host or stack. */
  readonly message: string;
  readonly error?: string | number;
  readonly fields?: readonly FieldProblem[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the body: figures of a quota. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** For the log only. */
  readonly cause?: unknown;
}

export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly code: string;
  readonly #options: ProblemOptions;

  constructor(options: ProblemOptions) {
    super(options.message, { cause: options.cause });
    this.status = options.status;
    this.code = options.code;
    this.#options = options;
  }

  /** `requestUrl`: its path names the occurrence; its query may be private. */
  toResponse(requestUrl: string, requestId?: string): Response {
    const { status, code, message, error, fields, headers, extra } = this.#options;
    const body = {
      type: "about:blank",
      title: titleOf(status),
      status,
      detail: message,
      instance: pathOf(requestUrl),
      code,
      error: error ?? status,
      message,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...(fields === undefined ? {} : { fields }),
      ...extra,
    };
    return new Response(JSON.stringify(body), {
      status,
      headers: { "content-type": "application/problem+json", ...headers },
    });
  }
}

/** A failure without further members: `problem(404, "unknown_lease", "…")`. */
export function problem(status: number, code: string, message: string): Problem {
  return new Problem({ status, code, message });
}

/** RFC 9110, section 15; 429 of RFC 6585. */
const titles: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

export function titleOf(status: number): string {
  return titles[status] ?? "Failure";
}

function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const end = url.search(/[?#]/);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end);
}
