/** Why the identity provider gave no answer. Its text may hold addresses: it goes to no user. */
export type ProviderFailure = "unreachable" | "refused" | "limited" | "malformed";

export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderFailure;
  /** What the provider asks for; null = it does not say. */
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
