/** The credential in an `Authorization` header. */
import { AuthError } from "./auth-error.ts";
import { tokenBytesMax } from "./limits.ts";

const scheme = "Bearer ";

/** The text after `Bearer ` (case-sensitive, one space). Throws AuthError when it is missing or far too long. */
export function bearerToken(header: string | null | undefined): string {
  if (header === null || header === undefined) {
    throw new AuthError("missing_authorization", "Authorization header is missing");
  }
  if (!header.startsWith(scheme)) {
    throw new AuthError("malformed_authorization", 'Authorization header must start with "Bearer "');
  }
  const token = header.slice(scheme.length);
  if (token.length > tokenBytesMax) {
    throw new AuthError(
      "malformed_token",
      `Invalid token header: the token has ${token.length} bytes, more than ${tokenBytesMax}`,
    );
  }
  return token;
}
