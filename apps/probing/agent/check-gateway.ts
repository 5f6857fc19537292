/**
 * The gateway part of `vantage agent check`: whether the gateway is reachable, accepts our key, and agrees about the
 * time.
 */
import * as v from "valibot";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { type CheckResult, messageOf, ok, problem } from "./check-result.ts";
import type { AgentConfig, AgentGatewayConfig } from "./config/config.ts";
import { knownAgentKey } from "./gateway/credentials.ts";
import { GatewayApi } from "./gateway/gateway-api.ts";
import { clockOffsetMaxMs } from "./limits.ts";

/** Changes nothing at the gateway; returns nothing without one. */
export async function checkGateway({ agentId, gateway, stateDir }: AgentConfig): Promise<CheckResult[]> {
  if (gateway === null) {
    return [];
  }
  const api = new GatewayApi(gateway.url);
  return [await checkKey(api, agentId, gateway, stateDir), ...checkOffset(api.clockOffsetMs)];
}

async function checkKey(
  api: GatewayApi,
  agentId: string,
  gateway: AgentGatewayConfig,
  stateDir: string,
): Promise<CheckResult> {
  const name = encodeURIComponent(agentId);
  try {
    const key = knownAgentKey(gateway, stateDir);
    if (key === null) {
      await isKnown(api, name);
      return ok("gateway", `${gateway.url} answers; the agent enrols when it starts`);
    }
    const path = `/agent-api/agent/${name}/blocklist`;
    await api.ask({ method: "GET", path, key, answer: v.unknown() });
    return ok("gateway", `${gateway.url} accepts the agent's key`);
  } catch (error) {
    const isRefused = isFailure(error, "agentGateway", "refused");
    const see = isRefused
      ? "ask the gateway's operator for a key; see: gateway.agent_key"
      : "see: gateway.url";
    return problem("gateway", `${messageOf(error)} (${see})`);
  }
}

/** A public request, so that an agent that isn't registered yet passes. */
async function isKnown(api: GatewayApi, name: string): Promise<boolean> {
  try {
    await api.ask({ method: "GET", path: `/api/agent/${name}`, key: "", answer: v.unknown() });
    return true;
  } catch (error) {
    if (isFailure(error, "agentGateway", "unknown")) {
      return false;
    }
    throw error;
  }
}

function checkOffset(offsetMs: number | null): CheckResult[] {
  if (offsetMs === null) {
    return [];
  }
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
  // The gateway reports whole seconds, so fractions would be wrong.
  const shown =
    Math.abs(offsetMs) < 1000
      ? "ours is less than a second off"
      : `ours is ${seconds} s ${offsetMs > 0 ? "behind" : "ahead"}`;
  return Math.abs(offsetMs) <= clockOffsetMaxMs
    ? [ok("gateway's clock", shown)]
    : [problem("gateway's clock", `${shown}: set this host's clock, and keep it right by NTP`)];
}
