/** An agent's configuration as the agent uses it: checked as a whole, with every default filled in. */
import * as v from "valibot";
import { brokerAddressOf } from "../../../../lib/engines/broker/broker-address.ts";
import type { KafkaLogin } from "../../../../lib/engines/broker/broker-options.ts";
import { listenAt } from "../../../../lib/engines/config/addresses.ts";
import { loginContradictions, loginOf } from "../../../../lib/engines/config/broker-login.ts";
import type { Environment } from "../../../../lib/engines/config/environment.ts";
import { type Contradiction, loadConfig } from "../../../../lib/engines/config/load-config.ts";
import type { YamlSource } from "../../../../lib/engines/config/yaml-file.ts";
import { agentIdSchema, instanceNameSchema } from "../../../../lib/measuring/probing/agent-config.ts";
import type { HostLimits } from "../../../../lib/measuring/probing/host-hold.ts";
import { type Prefix, parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import { agentConfigAliases, agentConfigSchema, type PeerId, parsePeer } from "./config-schema.ts";

type Given = v.InferOutput<typeof agentConfigSchema>;
type GivenProber = Given["prober"][number];

export interface ProberConfig {
  readonly name: string;
  readonly instanceId: number;
  /** Null = the interface of the default route. */
  readonly interfaceName: string | null;
  /** IPv4 first; empty = the addresses of the interface. */
  readonly prefixes: readonly Prefix[];
  readonly rateProbesPerSec: number;
  readonly pacing: "sleep" | "spin" | "none";
  readonly batchProbesMax: number;
  readonly backEnd: "packet" | "xdp";
  readonly packets: number;
  readonly minTtl: number;
  readonly maxTtl: number;
  readonly dryRun: boolean;
}

export interface AgentConfig {
  readonly agentId: string;
  readonly listen: { readonly host: string; readonly port: number };
  readonly stateDir: string;
  /** The user that root switches to; null = chosen from the users that exist. */
  readonly user: string | null;
  /** Null = the key in the state folder. */
  readonly integrityKey: string | null;
  readonly integrityCheck: boolean;
  readonly anycastPeers: readonly PeerId[];
  readonly graceMs: number;
  readonly spoolBytesMax: number;
  /** Path; null = no file. */
  readonly blocklistFile: string | null;
  readonly allowlistFile: string | null;
  readonly blocksReservedRanges: boolean;
  /** Name servers may be asked which of their sites answers. */
  readonly allowsDns: boolean;
  /** Packets/s to one address and to one network; 0 = without limit. */
  readonly destinationRates: { readonly address: number; readonly network: number };
  readonly hostLimits: HostLimits;
  /** Null = no gateway: the agent works with the broker alone. */
  readonly gateway: AgentGatewayConfig | null;
  readonly probers: readonly ProberConfig[];
  readonly broker: BrokerConfig;
}

/** Either the agent's key and secret, or an enrolment key. */
export interface AgentGatewayConfig {
  readonly url: string;
  readonly agentKey: string | null;
  readonly agentSecret: string | null;
  readonly enrolmentKey: string | null;
  readonly reportIntervalMs: number;
}

export interface BrokerConfig {
  /** As openBroker takes it: `kafka:HOST:PORT,…` or `embedded:DIR`. */
  readonly address: string;
  readonly login: KafkaLogin;
  readonly probesTopics: readonly string[];
  readonly group: string;
  /** Null = replies are counted and not published. */
  readonly repliesTopic: string | null;
  readonly recordBytesMax: number;
  readonly batchWaitMs: number;
  readonly pollMs: number;
  readonly repliesPerRecord: number;
}

/** The engine has room for this many tag keys (ffi/hotpath/memory-layout.ts). */
const keysMax = 64;
const probersMax = 32;

/** Throws ConfigError with every problem. */
export function readAgentConfig(source: YamlSource, environment: Environment): AgentConfig {
  const given = loadConfig({
    schema: agentConfigSchema,
    source,
    environment,
    environmentPrefixes: ["VANTAGE_", "SAIMIRIS__"],
    aliases: agentConfigAliases,
    contradictions,
  });
  return toConfig(given);
}

function contradictions({ prober, agent, gateway, kafka }: Given): Contradiction[] {
  const problems: Contradiction[] = loginContradictions(kafka);
  const refuse = (path: Contradiction["path"], reason: string) => problems.push({ path, reason });
  problems.push(...gatewayProblems(gateway, agent.id));
  problems.push(...(gateway.url === undefined ? [] : nameProblems(prober)));
  if (prober.length === 0 || prober.length > probersMax) {
    refuse(["prober"], `must have 1 to ${probersMax} entries, not ${prober.length}`);
  }
  if (prober.length + agent.anycast_peers.length > keysMax) {
    refuse(["agent", "anycast_peers"], `must leave room: with the probers, at most ${keysMax} in all`);
  }
  const check = integrityCheckOf(prober);
  for (const [i, entry] of prober.entries()) {
    const twin = prober.findIndex((other) => other.instance_id === entry.instance_id);
    if (twin < i) {
      refuse(["prober", i, "instance_id"], `prober.${twin} has it too: their tags would be the same`);
    }
    if (entry.integrity_check !== undefined && entry.integrity_check !== check) {
      const why = `must be that of the probers before (${check}): an answer whose tag does not fit belongs to none`;
      refuse(["prober", i, "integrity_check"], why);
    }
    if (entry.min_ttl > entry.max_ttl) {
      refuse(["prober", i, "min_ttl"], `must be at most max_ttl (${entry.max_ttl}), not ${entry.min_ttl}`);
    }
  }
  return problems;
}

/** The value of the first prober that sets one: files of existing agents may set "false" for some only. */
function integrityCheckOf(probers: readonly GivenProber[]): boolean {
  return probers.find(({ integrity_check }) => integrity_check !== undefined)?.integrity_check ?? true;
}

function gatewayProblems(gateway: Given["gateway"], agentId: string): Contradiction[] {
  const { url, agent_key: key, agent_secret: secret, enrolment_key: enrolment } = gateway;
  const isConfigured = [url, key, secret, enrolment].some((value) => value !== undefined);
  const hasOwn = key !== undefined && secret !== undefined;
  const isWhole = url !== undefined && (hasOwn || (key === undefined && enrolment !== undefined));
  if (!isConfigured) {
    return [];
  }
  if (!isWhole) {
    const reason = "needs url with agent_key and agent_secret, or url with enrolment_key; or leave it out";
    return [{ path: ["gateway"], reason }];
  }
  const reason = "must be at most 64 letters, digits, dots, hyphens and underscores, to work with a gateway";
  return v.is(agentIdSchema, agentId) ? [] : [{ path: ["agent", "id"], reason }];
}

/** Operators' remote changes refer to the prober by name. */
function nameProblems(probers: readonly GivenProber[]): Contradiction[] {
  const names = probers.map(nameOf);
  return names.flatMap((name, i): Contradiction[] => {
    const path = ["prober", i, "name"];
    const twin = names.indexOf(name);
    if (twin < i) {
      return [{ path, reason: `is that of prober.${twin} too` }];
    }
    const reason = "must be at most 64 characters without spaces and none of : , [ ]";
    return v.is(instanceNameSchema, name) ? [] : [{ path, reason }];
  });
}

function nameOf({ name }: GivenProber, index: number): string {
  return name ?? `prober${index}`;
}

function toGateway(given: Given["gateway"]): AgentGatewayConfig | null {
  return given.url === undefined
    ? null
    : {
        url: given.url,
        agentKey: given.agent_key ?? null,
        agentSecret: given.agent_secret ?? null,
        enrolmentKey: given.enrolment_key ?? null,
        reportIntervalMs: given.report_interval_ms,
      };
}

function toConfig({ agent, gateway, prober, kafka }: Given): AgentConfig {
  return {
    agentId: agent.id,
    listen: listenAt(agent.metrics_address),
    stateDir: agent.state_dir ?? `/var/lib/vantage/${agent.id.replaceAll("/", "_")}`,
    user: agent.user ?? null,
    integrityKey: agent.integrity_key ?? null,
    integrityCheck: integrityCheckOf(prober),
    anycastPeers: agent.anycast_peers.flatMap((peer) => parsePeer(peer) ?? []),
    graceMs: agent.grace_time,
    spoolBytesMax: agent.spool_bytes_max,
    blocklistFile: agent.blocklist_file ?? null,
    allowlistFile: agent.allowlist_file ?? null,
    blocksReservedRanges: agent.block_reserved_ranges,
    allowsDns: agent.dns_probes,
    destinationRates: { address: agent.address_rate, network: agent.network_rate },
    hostLimits: {
      bytesPerDay: agent.bytes_per_day ?? null,
      probesPerDay: agent.probes_per_day ?? null,
      hours: agent.hours ?? null,
    },
    gateway: toGateway(gateway),
    probers: prober.map(toProber),
    broker: {
      address: brokerAddressOf(kafka.brokers),
      login: loginOf(kafka),
      probesTopics: kafka.in_topics.split(",").map((name) => name.trim()),
      group: kafka.in_group_id ?? `vantage-agent-${agent.id}`,
      repliesTopic: kafka.out_enable ? kafka.out_topic : null,
      recordBytesMax: kafka.message_max_bytes,
      batchWaitMs: kafka.out_batch_wait_time,
      pollMs: kafka.out_batch_wait_interval,
      repliesPerRecord: kafka.replies_per_record,
    },
  };
}

const pacings = { auto: "sleep", sleep: "sleep", active: "spin", none: "none" } as const;

function toProber(given: GivenProber, index: number): ProberConfig {
  const method = given.rate_limiting_method as keyof typeof pacings;
  return {
    name: nameOf(given, index),
    instanceId: given.instance_id,
    interfaceName: given.interface ?? null,
    prefixes: [given.src_ipv4_prefix, given.src_ipv6_prefix].flatMap((text) =>
      text === undefined ? [] : (parsePrefix(text) ?? []),
    ),
    rateProbesPerSec: given.probing_rate,
    pacing: pacings[method],
    batchProbesMax: given.batch_size,
    backEnd: given.back_end,
    packets: given.packets,
    minTtl: given.min_ttl,
    maxTtl: given.max_ttl,
    dryRun: given.dry_run,
  };
}
