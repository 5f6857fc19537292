/** The gateway's public origin: where logins return to, and whether cookies need TLS. */
import { isReadableOnTheWay } from "../../../lib/engines/gateway-client/profile.ts";
import { problem } from "../../../lib/engines/http/problem.ts";

interface Origin {
  /** `https://gateway.example`, without a slash. */
  readonly url: string;
  /** Cookies require TLS. */
  readonly isSecure: boolean;
}

/** `baseUrl`: as configured; null = the request's own. */
export function originOf(requestUrl: string, baseUrl: string | null): Origin {
  const url = baseUrl ?? new URL(requestUrl).origin;
  const isLoopback = new URL(url).protocol === "http:" && !isReadableOnTheWay(url);
  return { url: url.replace(/\/+$/, ""), isSecure: !isLoopback };
}

/** Throws Problem 503 where a login could be intercepted: no TLS. */
export function checkLoginPossible({ url, isSecure }: Origin): void {
  if (isSecure && new URL(url).protocol === "http:") {
    throw problem(
      503,
      "no_tls",
      "Browser login needs https://, or 127.0.0.1: with vantage stack, use the ssh -L line that it printed. " +
        "Operator: set gateway.base_url to the https:// address",
    );
  }
}
