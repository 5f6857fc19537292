/** Every route of a gateway gets its nastiest requests, alone and eight at once, while `/health` is watched. */
import type { OpenApiDocument } from "../../../lib/engines/http/openapi-document.ts";
import { adminKey } from "../../fuzz/api/fuzzed-gateway.ts";
import { begunLine } from "./experiment-lines.ts";
import { type Call, type SweptRoute, sweptRoutes } from "./sweep-calls.ts";
import { agentId, type GatewayName, type Held, serviceKey, WatchedGateway } from "./watched-gateway.ts";

export interface Swept extends Held, Pick<SweptRoute, "method" | "route" | "caller"> {
  /** Requests that were sent. */
  readonly requests: number;
  /** What was answered with 5xx, but 503: a request, and the answer. */
  readonly failures: readonly string[];
}

const atOnce = 8;
/** Streams and long polls are left after that. */
const openMs = 1500;
const answerMs = 120_000;

export const sweptGateways: readonly GatewayName[] = ["probing-gateway", "peering-gateway"];

interface Sweeping {
  /** Eight at once at one route of so many: they are read by the same code at all of them. */
  readonly eightAtEach?: number;
}

/** One result for each route. */
export async function* sweep(
  name: GatewayName,
  { eightAtEach = 1 }: Sweeping = {},
): AsyncGenerator<Swept, void, undefined> {
  await using gateway = await WatchedGateway.start(name);
  const document = (await (await fetch(`${gateway.url}openapi.json`)).json()) as OpenApiDocument;
  const objects = await objectsOf(gateway, name);
  const tokens = await Promise.all(Array.from({ length: atOnce }, (_, i) => gateway.tokenOf(`sweep-${i}`)));
  const keys = { agent: gateway.agentKey, admin: adminKey, service: serviceKey, stranger: null };
  const routes = sweptRoutes(document, (path, place) => nameOf(objects, path, place));
  for (const [at, swept] of routes.entries()) {
    const many = at % eightAtEach === 0 ? atOnce : 0;
    const tokenOf = (i: number) =>
      swept.caller === "user" ? (tokens[swept.route.includes("{") ? 0 : i] ?? null) : keys[swept.caller];
    const failures: string[] = [];
    const ask = async (call: Call, i: number) => {
      const answer = await answerOf(gateway, swept, call, tokenOf(i));
      if (/^5(?!03)\d\d/.test(answer)) {
        failures.push(`${call.what}: ${answer}`);
      }
      return answer;
    };
    const held = await gateway.during(async () => {
      const counts: Record<string, number> = {};
      for (const call of swept.calls) {
        const alone = await ask(call, 0);
        const together = await Promise.all(Array.from({ length: many }, (_, i) => ask(call, i)));
        for (const answer of [alone, ...together]) {
          counts[answer] = (counts[answer] ?? 0) + 1;
        }
      }
      return counts;
    });
    const { method, route, caller } = swept;
    yield { ...held, method, route, caller, failures, requests: swept.calls.length * (1 + many) };
  }
}

async function answerOf(
  { url }: WatchedGateway,
  { method, path }: Pick<SweptRoute, "method" | "path">,
  { search, body }: Call,
  token: string | null,
): Promise<string> {
  const isOpen = path.endsWith("/events") || search.includes("wait=");
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  if (body !== null) {
    headers["content-type"] = body.type;
  }
  const signal = AbortSignal.timeout(isOpen ? openMs : answerMs);
  const init = { method, headers, signal, ...(body === null ? {} : { body: body.bytes }) };
  try {
    const response = await fetch(new URL(`${path}${search}`, url), { ...init, redirect: "manual" });
    const text = await response.text();
    return `${response.status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ""}`.trim();
  } catch (error) {
    return error instanceof DOMException && isOpen ? "still open" : `no answer: ${String(error)}`;
  }
}

interface Objects {
  readonly measurement: string;
  readonly campaign: string;
  readonly experiment: string;
  readonly link: string;
}

/** What the first of the users has: of each kind one. */
async function objectsOf(gateway: WatchedGateway, name: GatewayName): Promise<Objects> {
  if (name === "peering-gateway") {
    return { measurement: "", campaign: "", experiment: "", link: "" };
  }
  const token = await gateway.tokenOf("sweep-0");
  const made = async (path: string, body: object | string) => {
    const response = await gateway.post(token, path, body);
    const answer = (await response.json()) as Record<string, unknown>;
    if (!response.ok) {
      throw new Error(`${path}: ${JSON.stringify(answer)}`);
    }
    return answer;
  };
  const probes = "203.0.114.1,24000,33434,7,udp\n";
  const measurement = String((await made(`api/probes?agents=${agentId}&open=true`, probes)).id);
  const { campaign } = (await made("api/campaigns", {
    ...{ name: "swept", agents: agentId, targets: ["203.0.114.1"], every: 86_400, max_runs: 1 },
  })) as { campaign: { id: string } };
  const experiment = String((await made("api/experiments/import", { lines: [begunLine("swept")] })).id);
  const shared = await made(`api/measurements/${measurement}/sharing`, { visibility: "link" });
  return {
    ...{ measurement, experiment, campaign: campaign.id },
    link: /[^/]+$/.exec(String(shared.link))?.[0] ?? "",
  };
}

function nameOf(objects: Objects, path: string, place: string): string {
  switch (place) {
    case "id":
      return path.includes("agent") ? agentId : objectOf(objects, path);
    case "measurement":
      return objects.measurement;
    case "link":
      return objects.link;
    case "view":
      return "paths";
    case "agent":
      return agentId;
    case "prefix":
      return "2001:db8::/48";
    case "address":
      return "2001:db8::1";
    case "hash":
    case "user_hash":
      return "0123456789abcdef".repeat(4);
    default:
      return "x";
  }
}

function objectOf({ measurement, campaign, experiment }: Objects, path: string): string {
  if (path.includes("experiment")) {
    return experiment;
  }
  return /campaign|discover/.test(path) ? campaign : measurement;
}
