/** Why the identity provider gave no answer. Its text may hold addresses, so users do not see it. */
type ProviderFailure = "unreachable" | "refused" | "limited" | "malformed";

export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderFailure;
  /** The provider's requested pause; null = not given. */
  readonly retryAfterMs: number | null;

  constructor(
    code: ProviderFailure,
    message: string,
    { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
