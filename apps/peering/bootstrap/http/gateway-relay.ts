/** Requests of local users to the gateway that the client stack follows, with its login. */
import { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { GatewayError } from "../../../../lib/engines/gateway-client/gateway-error.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import packageJson from "../../../../package.json" with { type: "json" };
import type { GatewayLogin } from "../gateway-login.ts";
import { reportAnswerMs } from "../limits.ts";

interface Relayed {
  readonly method: "GET" | "PUT" | "DELETE";
  /** With its query. */
  readonly path: string;
  /** JSON; null = none. */
  readonly body: string | null;
}

/** The gateway's answer. Throws Problem: the gateway's, or 502 `gateway_unreachable`. */
export async function relay(
  { url, tokens }: GatewayLogin,
  { method, path, body }: Relayed,
): Promise<Response> {
  const userAgent = `vantage/${packageJson.version} (bootstrap)`;
  const gateway = new Gateway({ address: url, tokens, userAgent, retryDelaysMs: [] });
  try {
    return await gateway.request(path, {
      ...{ method, answerMs: reportAnswerMs },
      ...(body === null ? {} : { body, headers: { "content-type": "application/json" } }),
    });
  } catch (error) {
    throw error instanceof GatewayError ? problemOf(error) : error;
  }
}

function problemOf(error: GatewayError): Problem {
  const { status, code, message, fields, retryAfterMs, details } = error;
  return new Problem({
    ...{ status: status ?? 502, message, fields, extra: details },
    code: status === null ? "gateway_unreachable" : code,
    headers: retryAfterMs === null ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) },
    cause: error,
  });
}
