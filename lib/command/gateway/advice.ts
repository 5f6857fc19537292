/** Next steps for a gateway's errors, in a few words each. */
import * as v from "valibot";
import type { GatewayError } from "../../gateway-client/gateway-error.ts";
import { grouped } from "../../terminal/figures.ts";
import { durationInWords } from "../../terminal/time-words.ts";
import type { GatewaySession } from "./session.ts";

export function adviceFor(error: GatewayError, session: GatewaySession): string[] {
  const { code, status, retryAfterMs } = error;
  if (code === "notLoggedIn" || status === 401) {
    return [loginAdvice(session)];
  }
  if (code === "quota_exceeded") {
    return quotaAdvice(error);
  }
  if (code === "no_healthy_agents" || code === "selector_unmet") {
    return ["see which are healthy: vantage agents"];
  }
  return retryAfterMs === null ? [] : [`try again in ${durationInWords(retryAfterMs)}`];
}

const quotaSchema = v.object({ used: v.number(), limit: v.number(), requested: v.number() });

function quotaAdvice({ details, retryAfterMs }: GatewayError): string[] {
  const parsed = v.safeParse(quotaSchema, details);
  const wait = retryAfterMs === null ? "" : `, in ${durationInWords(retryAfterMs)}`;
  if (!parsed.success) {
    return [`the next day starts at 00:00 UTC${wait}`];
  }
  const { used, limit, requested } = parsed.output;
  const figures = `${grouped(used)} of ${grouped(limit)} are used, and these are ${grouped(requested)}`;
  return [figures, `the next day starts at 00:00 UTC${wait}`];
}

function loginAdvice(session: GatewaySession): string {
  switch (session.tokenOrigin) {
    case "stdin":
      return "give another token on standard input";
    case "environment":
      return "set another VANTAGE_TOKEN, or unset it and log in with: vantage login";
    case "profile":
      return `log in with: ${loginCommand(session)}`;
  }
}

/** The command to paste. */
function loginCommand(session: GatewaySession): string {
  const { service } = session.common;
  const { address, profile } = session.chosen();
  if (profile !== null) {
    return `vantage login --profile=${profile}`;
  }
  return service === "probing"
    ? `vantage login --gateway=${address}`
    : `vantage login --gateway=URL --peering-gateway=${address}`;
}
