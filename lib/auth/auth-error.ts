/** Why a caller is refused. Codes are stable: clients, metrics and docs use them. */
type AuthErrorCode =
  | "missing_authorization"
  | "malformed_authorization"
  | "malformed_token"
  | "missing_key_id"
  | "unknown_key"
  | "unsupported_algorithm"
  | "invalid_signature"
  | "wrong_issuer"
  | "wrong_audience"
  | "expired_token"
  | "token_not_yet_valid"
  | "missing_subject"
  /** Not the caller's fault: there are no keys to check the token with. It may come back. */
  | "issuer_unavailable";

export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly code: AuthErrorCode;

  constructor(code: AuthErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
