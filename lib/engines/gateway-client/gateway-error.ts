/** An error between a user's command and a gateway; its message is for the user. */

/** Codes of our own. Every other code is the gateway's: `quota_exceeded`, … */
type ClientSideCode =
  | "unreachable"
  | "timeout"
  | "redirected"
  | "badAnswer"
  | "notLoggedIn"
  | "loginFailed"
  | "unknownGateway"
  | "endedEarly"
  | "badProfile";

interface GatewayErrorOptions {
  /** HTTP status of the answer; null without an answer. */
  readonly status?: number | null;
  /** ClientSideCode, or the gateway's. */
  readonly code: string;
  readonly fields?: readonly FieldProblem[];
  /** From `Retry-After`. */
  readonly retryAfterMs?: number | null;
  /** The answer's other members, such as the figures of a quota. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An invalid part of the request. */
interface FieldProblem {
  readonly path: string;
  readonly reason: string;
}

export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly status: number | null;
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  readonly retryAfterMs: number | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, options: GatewayErrorOptions) {
    super(message, { cause: options.cause });
    this.status = options.status ?? null;
    this.code = options.code;
    this.fields = options.fields ?? [];
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.details = options.details ?? {};
  }
}

/** A failure with a message of the client's own. */
export function clientSide(code: ClientSideCode, message: string, cause?: unknown): GatewayError {
  return new GatewayError(message, { code, cause });
}
