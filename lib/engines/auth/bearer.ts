/** The credential in an `Authorization` header. */
import { Failure } from "../../base/failure/failure.ts";
import { tokenBytesMax } from "./limits.ts";

const scheme = "Bearer ";

/** The text after `Bearer ` (case-sensitive, one space). Throws Failure `auth` when it is missing or far too long. */
export function bearerToken(header: string | null | undefined): string {
  if (header === null || header === undefined) {
    throw new Failure("auth", "missing_authorization", "Authorization header is missing");
  }
  if (!header.startsWith(scheme)) {
    throw new Failure("auth", "malformed_authorization", 'Authorization header must start with "Bearer "');
  }
  const token = header.slice(scheme.length);
  if (token.length > tokenBytesMax) {
    throw new Failure(
      "auth",
      "malformed_token",
      `Invalid token header: the token has ${token.length} bytes, more than ${tokenBytesMax}`,
    );
  }
  return token;
}
