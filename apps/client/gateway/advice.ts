/** What to do next about what a gateway says, in a few words each. */
import type { GatewayError } from "../../../lib/gateway-client/gateway-error.ts";
import type { Session } from "./session.ts";
import { durationInWords } from "./words.ts";

export function adviceFor(error: GatewayError, session: Session): string[] {
  if (error.code === "notLoggedIn" || error.status === 401) {
    return [loginAdvice(session)];
  }
  if (error.retryAfterMs !== null) {
    return [`try again in ${durationInWords(error.retryAfterMs)}`];
  }
  return [];
}

function loginAdvice(session: Session): string {
  switch (session.tokenOrigin) {
    case "stdin":
      return "give another token on standard input";
    case "environment":
      return "set another VANTAGE_TOKEN, or unset it and log in with: vantage login";
    case "profile":
      return `log in with: ${loginCommand(session)}`;
  }
}

/** As it can be pasted. */
function loginCommand(session: Session): string {
  const { service } = session.common;
  const { address, profile } = session.chosen();
  if (profile !== null) {
    return `vantage login --profile=${profile}`;
  }
  return service === "probing"
    ? `vantage login --gateway=${address}`
    : `vantage login --gateway=URL --peering-gateway=${address}`;
}
