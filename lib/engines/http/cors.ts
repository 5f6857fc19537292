/** Lets web pages of chosen origins call: none by default. */
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";

/** Headers that our clients send, and those that their scripts must see. */
const allowHeaders = ["Accept", "Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"];
const exposeHeaders = ["ETag", "Link", "Location", "Retry-After", "X-Request-Id"];
/** A browser may cache a permission for an hour: a removed origin works no longer than that. */
const maxAge = 3600;

/** Tokens travel in a header, never in cookies: credentials are not allowed. */
export function crossOrigin(origins: readonly string[]): MiddlewareHandler {
  return cors({
    origin: origins.includes("*") ? "*" : [...origins],
    allowMethods: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"],
    allowHeaders,
    exposeHeaders,
    maxAge,
  });
}
