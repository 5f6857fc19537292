/** A model's request for a measurement, and its probes. */
import * as v from "valibot";
import { isFailure } from "../../../lib/base/failure/failure.ts";
import { listed } from "../../../lib/base/failure/listed.ts";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import type { Agent } from "../../../lib/engines/sdk/answers.ts";
import { pingProbes, probeLines, traceProbes } from "../../../lib/engines/sdk/probes.ts";
import { type AgentChoice, parseChoices } from "../../../lib/engines/submission/targets.ts";
import { matchesSelector, selectorForms } from "../../../lib/measuring/probing/agent-selector.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { readHost } from "../../../lib/net/ip/typed-host.ts";
import { parseProbeLine } from "../../../lib/net/wire/probe-line.ts";
import { ToolError } from "./answer.ts";
import { flowsMax, pingsMax, probesMax, targetsMax } from "./limits.ts";

const wholeNumber = (low: number, high: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(low), v.maxValue(high));

/** One schema for all kinds: models fill it in more reliably than a choice of schemas. */
export const measurementInput = v.object({
  kind: v.pipe(
    v.picklist(["trace", "ping", "probes"]),
    v.description("trace: the path to each target; ping: round-trip times; probes: lines of your own"),
  ),
  agents: v.pipe(
    v.array(v.string()),
    v.minLength(1),
    v.description(`Who probes: ids of agents, or whom to choose: ${selectorForms}`),
  ),
  targets: v.optional(
    v.pipe(
      v.array(v.string()),
      v.maxLength(targetsMax),
      v.description("For trace and ping: addresses or names of hosts"),
    ),
  ),
  probes: v.optional(
    v.pipe(
      v.array(v.string()),
      v.maxLength(probesMax),
      v.description("For probes: lines dst,src_port,dst_port,ttl,protocol, as 192.0.2.1,24000,33434,7,udp"),
    ),
  ),
  protocol: v.optional(
    v.pipe(v.picklist(["udp", "tcp", "icmp"]), v.description("Default icmp for ping, udp for trace")),
  ),
  dst_port: v.optional(wholeNumber(0, 65_535)),
  flows: v.optional(
    v.pipe(
      wholeNumber(1, flowsMax),
      v.description("For trace: paths that balanced routers may split; default 1"),
    ),
  ),
  last_ttl: v.optional(v.pipe(wholeNumber(1, 64), v.description("For trace: default 32"))),
  count: v.optional(
    v.pipe(wholeNumber(1, pingsMax), v.description("For ping: probes to each target; default 4")),
  ),
});

export type MeasurementInput = v.InferOutput<typeof measurementInput>;

interface Plan {
  readonly lines: string;
  readonly probes: number;
  /** Maximum number of agents; a selector has its own number. */
  readonly agents: number;
  /** Address by given name. */
  readonly addresses: Readonly<Record<string, string>>;
}

/** Resolves a name; rejects with ToolError, or with the gateway's refusal. */
export type LookUp = (name: string) => Promise<string>;

/** Throws ToolError. */
export async function planOf(
  input: MeasurementInput,
  known: readonly Agent[],
  lookUp: LookUp,
): Promise<Plan> {
  const agents = agentsAtMost(choicesOf(input.agents), known);
  if (input.kind === "probes") {
    const lines = checkedLines(input.probes ?? []);
    return { lines: `${lines.join("\n")}\n`, probes: lines.length, agents, addresses: {} };
  }
  const names = input.targets ?? [];
  if (names.length === 0) {
    throw new ToolError(`Give targets: addresses or names of hosts to ${input.kind}`);
  }
  const found = await Promise.all(names.map(async (name) => [name, await addressOf(name, lookUp)] as const));
  const probes = probesTo(
    found.map(([, address]) => address),
    input,
  );
  const addresses = Object.fromEntries(found.filter(([name, address]) => name !== address));
  return { lines: probeLines(probes), probes: probes.length, agents, addresses };
}

function probesTo(
  addresses: readonly string[],
  { kind, flows, last_ttl, count, ...input }: MeasurementInput,
) {
  const { protocol = kind === "ping" ? "icmp" : "udp", dst_port } = input;
  const shape = { protocol, ...(dst_port === undefined ? {} : { dstPort: dst_port }) };
  return kind === "ping"
    ? pingProbes(addresses, { ...shape, ...(count === undefined ? {} : { count }) })
    : traceProbes(addresses, {
        ...shape,
        ...(flows === undefined ? {} : { flows }),
        ...(last_ttl === undefined ? {} : { lastTtl: last_ttl }),
      });
}

function choicesOf(agents: readonly string[]): AgentChoice[] {
  try {
    return parseChoices(agents.join());
  } catch (error) {
    throw isFailure(error, "submission") ? new ToolError(error.message) : error;
  }
}

function agentsAtMost(choices: readonly AgentChoice[], known: readonly Agent[]): number {
  const matching = choices.map((choice) =>
    "text" in choice
      ? (choice.count ?? known.filter((agent) => matchesSelector(selectable(agent), choice)).length)
      : 1,
  );
  return matching.reduce((sum, count) => sum + count, 0);
}

function selectable({ id, tags, asn, country, location }: Agent) {
  return { id, tags, asn, country, location };
}

function checkedLines(lines: readonly string[]): readonly string[] {
  const bad = lines.flatMap((line, i) => {
    const read = parseProbeLine(new TextEncoder().encode(line));
    return read.ok ? [] : [`${i + 1}: ${read.message}`];
  });
  if (lines.length === 0 || bad.length > 0) {
    throw new ToolError(
      lines.length === 0
        ? "Give probes: lines dst,src_port,dst_port,ttl,protocol"
        : `Bad lines: ${listed(bad, 5)}`,
    );
  }
  return lines;
}

async function addressOf(name: string, lookUp: LookUp): Promise<string> {
  const host = readHost(name);
  if (host.kind === "bad" || (host.kind === "address" && host.zone !== null)) {
    const reason = host.kind === "bad" ? host.reason : "has a zone, which is only valid on one machine";
    throw new ToolError(
      `Cannot probe "${withoutPassword(name).slice(0, 100)}": give an address or the name of a host; this ${reason}`,
    );
  }
  if (host.kind === "address") {
    return formatAddress(host.address);
  }
  return await lookUp(host.name);
}
