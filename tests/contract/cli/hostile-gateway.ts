/** A gateway, an issuer and services all of whose text is hostile to what shows it: terminals and spreadsheets. */
import { loginPath } from "../../../lib/engines/gateway-client/login-parameters.ts";

/** Begins as a formula; clears a screen in both ways, turns direction, forges a line, hides a character. */
export const hostile = "=cmd()\x1b[2J\x9b2J\u202e\u2066\r\nvantage: all is well\u200b\x7f";
export const measurementId = "6f1cf7a0-3d3c-4a53-9d3e-2f1c9d1e6a55";

const now = "2026-01-31T12:00:00.000Z";
const agent = { agent_id: hostile, status: hostile, expected_probes: 2, sent_probes: 1, is_complete: false };
const agentStatus = { ...agent, cancelled: false, error: hostile, updated_at: now };
const measurement = {
  measurement_id: hostile,
  status: hostile,
  total_agents: 1,
  completed_agents: 0,
  total_expected_probes: 2,
  total_sent_probes: 1,
  measurement_complete: false,
  measurement_cancelled: false,
  started_at: now,
  last_updated: now,
  agents: [agentStatus],
};
const me = { user_id: 1, submission_count: 1, last_submitted: now, used: 1, limit: 2 };
const lease = { prefix: "2001:db8::/48", start_time: now, end_time: now, rpki_enabled: true };
const reply = {
  ...{ time_received: "2026-01-31T12:00:00.000000000Z", measurement_id: hostile, agent_id: hostile },
  ...{ probe_agent: hostile, probe_instance: 0, probe_src_addr: "192.0.2.1", probe_dst_addr: "203.0.113.9" },
  ...{ probe_protocol: "udp", probe_src_port: 24000, probe_dst_port: 33434, probe_ttl: 7, rtt_ms: 1.5 },
  ...{ reply_src_addr: "192.0.2.9", reply_dst_addr: "192.0.2.1", reply_protocol: 1, reply_icmp_type: 11 },
  ...{ reply_icmp_code: 0, reply_ttl: 60, reply_quoted_ttl: 1, reply_id: 1, reply_size: 56, probe_id: 1 },
  ...{ probe_size: 40, reply_mpls_labels: [], says: hostile },
};
const path = {
  ...{ agent: hostile, address: "203.0.113.9", protocol: "udp" },
  flows: [{ src_port: 24000, dst_port: 33434, end_ttl: null }],
  reached: false,
  probes: { submitted: 1, answered: 0, lost: 1, duplicates: 0 },
  hops: [],
};
const figures = {
  replies: reply,
  paths: path,
  loss: {
    ...{ agent: hostile, destination: "203.0.113.9", submitted: 1, answered: 1, replies: 1 },
    ...{ lost: 0, loss_percent: 0, duplicates: 0 },
  },
  catchment: {
    ...{ probe_agent: hostile, probe_instance: 0, heard_by: hostile, replies: 1, share_percent: 1 },
    ...{ destinations: 1, responders: 1 },
  },
} as const;

/** What tables are drawn from: cells between tabs, with escaped ends of lines, and a row of paths of the store. */
const cell = hostile.replace("\r\n", "\\r\\n");
const viewNames = ["replies", "paths", "loss", "catchment"] as const;
const briefRows: Readonly<Record<keyof typeof figures, string>> = {
  replies: Array.from({ length: 10 }, () => cell).join("\t"),
  paths: JSON.stringify({
    ...{ agent: hostile, target: "20010DB8000000000000000000000001", protocol: 17 },
    ...{ flowEnds: [[24000, 33434, 0]], isReached: 0, known: 1, answeredProbes: 0, copies: 0 },
    ...{ firstTtl: 1, lastAnsweredTtl: 0, nodes: [] },
  }),
  loss: [cell, cell, 1, 1, 0, 0, 1, 0].join("\t"),
  catchment: [cell, 0, cell, 1, 1, 1, 1].join("\t"),
};

const answers: Readonly<Record<string, unknown>> = {
  "/api/agents": [
    {
      id: hostile,
      config: [{ name: hostile, src_ipv4_prefix: hostile, src_ipv6_prefix: hostile }],
      health: { healthy: true, message: hostile },
      last_seen: now,
      online: true,
      location: hostile,
      tags: [hostile],
    },
  ],
  "/api/measurements": [measurement],
  [`/api/measurements/${measurementId}/status`]: measurement,
  [`/api/measurement/${measurementId}/cancel`]: {
    ...{ measurement_id: hostile, cancelled: true, agents_cancelled: 1, message: hostile },
  },
  "/api/user/me": me,
  "/api/user/prefixes": {
    agents: [{ agent_id: hostile, prefixes: [{ agent_prefix: hostile, user_prefix: hostile }] }],
  },
  "/api/probes": {
    ...{ id: measurementId, probes: 1, agents: [{ id: hostile }] },
    rejected: [{ id: hostile, reason: hostile }],
  },
  "/api/user/info": { asn: 65000, max_leases: 2, active_leases: [lease] },
  "/api/user/leases": [{ ...lease, lease_id: 1, status: hostile }],
  "/api/user/asn": { asn: 65000, message: hostile },
  "/api/user/prefix": { ...lease, message: hostile },
  "/device": {
    ...{ device_code: "x", user_code: hostile, verification_uri: hostile, expires_in: 5, interval: 1 },
    verification_uri_complete: hostile,
  },
  "/status": {
    sessions: [
      {
        ...{
          address: hostile,
          user_hash: hostile,
          peer_asn: 1,
          state: hostile,
          for_seconds: 1,
          remark: hostile,
        },
        accepted: [{ prefix: hostile }],
        refused: [{ prefix: hostile, reason: hostile, explanation: hostile }],
      },
    ],
  },
};

/** The status of a user's bootstrap, as its control socket gives it. */
export const bootstrapStatus = {
  ...{ at: now, user: { asn: 65000, receive_only: false }, vpn: { state: hostile, address: hostile } },
  daemon: { is_up: true, in_force: true },
  problems: [{ text: hostile, advice: hostile }],
  steps: [{ text: hostile, advice: hostile, url: hostile, code: hostile, is_done: false }],
  exchanges: [
    {
      ...{ name: hostile, address: hostile, is_online: true, is_up: true, state: hostile, since: null },
      ...{ last_error: hostile, received_routes: 1, accepted_routes: 0, remark: hostile, refused: [] },
    },
  ],
  prefixes: [],
};

export function startHostileGateway(): Bun.Server<undefined> {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, server) => answer(request, server.url),
  });
}

function answer(request: Request, own: URL): Response {
  const { pathname, searchParams } = new URL(request.url);
  const view = viewNames.find((name) => pathname === `/api/measurements/${measurementId}/${name}`);
  if (view !== undefined) {
    return rowsOf(view, searchParams.get("format"));
  }
  if (pathname.endsWith("/events")) {
    return new Response(events(), { headers: { "content-type": "text/event-stream" } });
  }
  if (pathname === loginPath || pathname === "/.well-known/openid-configuration") {
    return Response.json(loginOf(own.origin, pathname));
  }
  if (pathname === "/health") {
    return new Response(hostile);
  }
  const known = answers[pathname];
  return known === undefined
    ? Response.json(
        { code: hostile, message: hostile, fields: [{ path: hostile, reason: hostile }] },
        { status: 422 },
      )
    : Response.json(known);
}

function loginOf(origin: string, pathname: string): object {
  return pathname === loginPath
    ? { issuer: origin, client_id: hostile, audience: hostile, scopes: [hostile] }
    : {
        issuer: origin,
        token_endpoint: `${origin}/token`,
        device_authorization_endpoint: `${origin}/device`,
        response_types_supported: ["code"],
      };
}

function rowsOf(view: keyof typeof figures, format: string | null): Response {
  const row: object = figures[view];
  switch (format) {
    case "brief":
      return new Response(`${briefRows[view]}\n`);
    case "csv":
      return new Response(`name\n${hostile.replaceAll(/[\r\n]/g, "")},-5\n`);
    case "json":
      return Response.json([row]);
    default:
      return new Response(`${JSON.stringify(row)}\n`);
  }
}

function events(): string {
  const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  return [event("progress", measurement), event("reply", reply), event("end", measurement)].join("");
}
