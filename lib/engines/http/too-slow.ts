/** The answer to a body that comes too slowly, or not at all. */
import { Problem } from "./problem.ts";

/** 408; the connection is closed: else the rest of the body would be read as the next request. */
export function tooSlow(message: string): Problem {
  return new Problem({
    status: 408,
    code: "body_too_slow",
    message: `Cannot wait for the body any longer: ${message}`,
    headers: { connection: "close" },
  });
}
