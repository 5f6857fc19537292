/** What the gateway is asked, and what existing gateways made of the same (docs: measured on one core each). */
import { probeArrays } from "../../contract/probing-gateway/gateway-home.ts";
import { agentId } from "./gateway-rig.ts";

export interface Reference {
  readonly requestsPerSec: number;
  readonly p99Ms: number;
  readonly memoryMb: number;
  /** CPU time of the gateway for one request; undefined = nobody measured it. */
  readonly cpuMs?: number;
}

interface BenchRequest {
  readonly name: string;
  readonly path: string;
  /** Null = GET. */
  readonly body: Uint8Array | null;
  /** Figures of existing gateways: on an empty day, and with 100,000 measurements; null = not supported there. */
  readonly existing: Reference | null;
  readonly existingFullDay: Reference | null;
  readonly isLarge: boolean;
}

const agents: Reference = { requestsPerSec: 50_900, p99Ms: 1.6, memoryMb: 19 };
const me: Reference = { requestsPerSec: 4390, p99Ms: 12, memoryMb: 21 };

export const benchRequests: readonly BenchRequest[] = [
  get("GET /api/agents", "api/agents", agents, agents),
  get("GET /api/user/me", "api/user/me", me, { ...me, requestsPerSec: 26 }),
  post(1, { requestsPerSec: 607, p99Ms: 113, memoryMb: 21, cpuMs: 0.75 }),
  post(1000, { requestsPerSec: 369, p99Ms: 155, memoryMb: 36, cpuMs: 2.2 }),
  post(10_000, { requestsPerSec: 71, p99Ms: 683, memoryMb: 171, cpuMs: 15.7 }),
  post(100_000, null),
];

function get(name: string, path: string, existing: Reference, existingFullDay: Reference): BenchRequest {
  return { name, path, body: null, existing, existingFullDay, isLarge: false };
}

function post(probes: number, existing: Reference | null): BenchRequest {
  const body = { metadata: [{ id: agentId }], probes: probeArrays(probes) };
  return {
    name: `POST /api/probes, ${probes} probes`,
    path: "api/probes",
    body: new TextEncoder().encode(JSON.stringify(body)),
    existing,
    existingFullDay: existing,
    isLarge: probes >= 100_000,
  };
}
