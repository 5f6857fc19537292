/** Next steps for a gateway's errors, in a few words each. */
import * as v from "valibot";
import { grouped } from "../../../base/terminal/figures.ts";
import { durationInWords } from "../../../base/terminal/time-words.ts";
import type { GatewayError } from "../../../engines/gateway-client/gateway-error.ts";
import type { GatewaySession } from "./session.ts";

export function adviceFor(error: GatewayError, session: GatewaySession): string[] {
  const { code, status, retryAfterMs } = error;
  if (code === "notLoggedIn" || status === 401) {
    const wantsKey = code === "unknown_key" && session.name.startsWith("admin ");
    return [wantsKey ? keyAdvice(session) : loginAdvice(session)];
  }
  if (code === "quota_exceeded") {
    return quotaAdvice(error);
  }
  const step = nextSteps[code];
  if (step !== undefined) {
    return [step];
  }
  const again = retryAfterMs === null ? [] : [`try again in ${durationInWords(retryAfterMs)}`];
  const { request_id: request } = error.details;
  const isFault = status !== null && status >= 500 && typeof request === "string";
  return isFault ? [...again, `the operator finds it in the log by request ${request}`] : again;
}

/**
 * Next steps for refusals whose message has none: messages that existing clients show stay unchanged. A temporary
 * refusal has the time to retry.
 */
export const nextSteps: Readonly<Record<string, string>> = {
  // Measurements.
  no_healthy_agents: "see which are healthy: vantage agents",
  selector_unmet: "see which are healthy: vantage agents",
  measurement_not_found: "vantage measurements lists yours",
  source_not_yours: "leave the source out, and the agent chooses one",
  bytes_exceeded:
    "pack the body (vantage send does), or ask an operator for more: " +
    "vantage admin users limit NAME --probes-per-day N",
  token_quota_exceeded: "create a token with more: vantage token create --probes-per-day N",
  storage_full: "operators set limits.stored_bytes_per_user of the gateway",
  destination_cap:
    "probe fewer of its addresses today; operators set limits.prefix_probes_per_day of the gateway",
  destination_blocked: "leave it out, or ask the operator",
  user_suspended: "ask the operator",
  platform_stopped: "wait until the operator resumes it",
  no_probes: "give a line for each probe, as vantage probes makes them",
  invalid_probe: "correct these lines, or leave them out with --skip-bad",
  content_too_large: "split the measurement",
  store_busy: "request less, with --limit or --agent, or try again later",
  endedEarly: "what is printed as complete is whole; run the command again for the rest",
  // Leases.
  lease_limit:
    "see yours: vantage peering prefix list; end one: vantage peering prefix release PREFIX; " +
    "an operator can raise it: vantage admin users limit NAME --leases N",
  prefix_pool_empty: "try again when a lease ends, within the hour as a rule, or ask the operator",
  asn_pool_empty: "ask the operator",
  invalid_prefix: "give it as 2001:db8:1::/48; yours: vantage peering prefix list",
  invalid_duration: "give the hours of the lease, as vantage peering prefix request 4",
  unknown_lease: "see yours: vantage peering prefix list",
  gateway_unreachable:
    "your client stack keeps what it announces; to withdraw without the gateway, stop its BIRD or FRR",
  rpki_not_configured: "leave RPKI as it is: the operator has no provider for it",
  rpki_of_pool: "leave RPKI as it is: the operator's ROA covers the whole pool",
  // Any service.
  unreachable: "check the address, and that the gateway runs",
  internal_error: "try again; if it stays, give the operator the request's id",
  unknown_path: "is it a gateway of this version, and the address complete?",
};

/** Also for operators of their own platform, who are the same person. */
const raiseAdvice = "an operator can raise it: vantage admin users limit NAME --probes-per-day N";

const quotaSchema = v.object({ used: v.number(), limit: v.number(), requested: v.number() });

function quotaAdvice({ details, retryAfterMs }: GatewayError): string[] {
  const parsed = v.safeParse(quotaSchema, details);
  const wait = retryAfterMs === null ? "" : `, in ${durationInWords(retryAfterMs)}`;
  if (!parsed.success) {
    return [`the next day starts at 00:00 UTC${wait}`];
  }
  const { used, limit, requested } = parsed.output;
  const figures = `${grouped(used)} of ${grouped(limit)} are used, and these are ${grouped(requested)}`;
  return [figures, `the next day starts at 00:00 UTC${wait}`, raiseAdvice];
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

/** For a gateway whose admin API accepts no logins: logging in again would change nothing. */
function keyAdvice(session: GatewaySession): string {
  switch (session.tokenOrigin) {
    case "stdin":
      return "give the admin key of this gateway on standard input";
    case "environment":
      return "set VANTAGE_TOKEN to the admin key of this gateway";
    case "profile":
      return `your login has no operator rights here; use the admin key: VANTAGE_TOKEN="$(cat STATE_DIR/admin.key)"`;
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
