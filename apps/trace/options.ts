/** The command lines of `vantage trace` and `vantage ping`, checked completely before anything is sent. */
import { type ParsedCommandLine, parseCommandLine, UsageError } from "../../lib/config/command-line.ts";
import { type Address, type Family, parseAddress } from "../../lib/ip/address.ts";
import { type Format, formats } from "../../lib/terminal/rows-output.ts";
import { addressOptions, loginOptions } from "../client/gateway/common-options.ts";
import {
  countMax,
  flowsMax,
  intervalMsMax,
  queriesMax,
  rateMax,
  targetsMax,
  ttlMax,
  waitMsMax,
} from "./limits.ts";
import { type Given, originOf, type RemoteOrigin } from "./origin.ts";

/** The user's choices; ICMP stands for ICMPv6 when the target is IPv6. */
const protocolChoices = ["udp", "icmp", "tcp"] as const;
export type ProtocolChoice = (typeof protocolChoices)[number];

export interface Options {
  readonly targets: readonly string[];
  readonly protocol: ProtocolChoice;
  /** Null = either family of the name, IPv6 first. */
  readonly family: Family | null;
  readonly srcPort: number;
  readonly dstPort: number;
  readonly firstTtl: number;
  readonly maxTtl: number;
  readonly queries: number;
  readonly flows: number;
  readonly rateProbesPerSec: number;
  readonly waitMs: number;
  readonly source: Address | null;
  readonly interfaceName: string | null;
  readonly resolveNames: boolean;
  readonly output: Format;
  /** Ping only: print one row for each target. */
  readonly summary: boolean;
  readonly live: boolean;
  readonly count: number;
  readonly intervalMs: number;
  /** Agents of a gateway that probe; null = this machine does. */
  readonly from: RemoteOrigin | null;
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const shared = {
  protocol: { ...text, short: "p", values: protocolChoices },
  ipv4: { ...flag, short: "4" },
  ipv6: { ...flag, short: "6" },
  "src-port": text,
  "dst-port": text,
  rate: text,
  "wait-ms": { ...text, short: "w" },
  source: { ...text, short: "s" },
  from: { ...text, multiple: true, value: "AGENT" },
  ...addressOptions.probing,
  ...loginOptions,
  interface: { ...text, short: "i" },
  output: { ...text, short: "o", values: formats },
} as const;
export const traceOptions = {
  ...shared,
  "first-ttl": { ...text, short: "f" },
  "max-ttl": { ...text, short: "m" },
  queries: { ...text, short: "q" },
  flows: text,
  resolve: { ...flag, short: "r" },
  live: flag,
} as const;
export const pingOptions = {
  ...shared,
  count: { ...text, short: "c" },
  "interval-ms": text,
  ttl: text,
  summary: flag,
} as const;

/** Reads the arguments behind the command's name. A wrong argument gives a message that names it and the next step. */
export function parseOptions(command: "trace" | "ping", args: readonly string[]): ParsedCommandLine<Options> {
  const check = (values: Given, targets: readonly string[]) => checked(command, values, targets);
  return command === "trace"
    ? parseCommandLine(args, { options: traceOptions, check })
    : parseCommandLine(args, { options: pingOptions, check });
}

function checked(command: "trace" | "ping", given: Given, targets: readonly string[]): Options {
  checkTargets(targets);
  const protocol = oneOf(given, "protocol", protocolChoices, command === "trace" ? "udp" : "icmp");
  const ping = command === "ping";
  const firstTtl = ping ? number(given, "ttl", [1, ttlMax], 64) : number(given, "first-ttl", [1, ttlMax], 1);
  const maxTtl = ping ? firstTtl : number(given, "max-ttl", [1, ttlMax], 32);
  const flows = ping ? 1 : number(given, "flows", [1, flowsMax], 8);
  const srcPort = number(given, "src-port", [0, 65535], defaultSrcPort(protocol));
  if (firstTtl > maxTtl) {
    throw new UsageError(`--first-ttl ${firstTtl} is above --max-ttl ${maxTtl}`);
  }
  if (srcPort + flows - 1 > 65535) {
    throw new UsageError(`${flows} flows from --src-port ${srcPort} run beyond port 65535`);
  }
  return {
    targets: [...new Set(targets)],
    protocol,
    family: familyOf(given),
    srcPort,
    dstPort: number(given, "dst-port", [0, 65535], protocol === "tcp" ? 80 : 33434),
    firstTtl,
    maxTtl,
    queries: number(given, "queries", [1, queriesMax], 3),
    flows,
    rateProbesPerSec: number(given, "rate", [1, rateMax], 1000),
    waitMs: number(given, "wait-ms", [1, waitMsMax], 2000),
    source: sourceOf(given),
    interfaceName: interfaceOf(given),
    resolveNames: given.resolve === true,
    output: oneOf(given, "output", formats, "table"),
    summary: given.summary === true,
    live: given.live !== false,
    count: number(given, "count", [1, countMax], 5),
    intervalMs: number(given, "interval-ms", [1, intervalMsMax], 1000),
    from: originOf(given),
  };
}

function checkTargets(targets: readonly string[]): void {
  if (targets.length === 0 || targets.includes("")) {
    throw new UsageError("Name at least one target: an address or a host name");
  }
  if (targets.length > targetsMax) {
    throw new UsageError(
      `${targets.length} targets are too many for one command line: at most ${targetsMax}`,
    );
  }
}

/**
 * TCP starts elsewhere each time: a target that still remembers the half-open connections of the last run would not
 * answer the same ports again.
 */
function defaultSrcPort(protocol: ProtocolChoice): number {
  const [chance = 0] = crypto.getRandomValues(new Uint32Array(1));
  return protocol === "tcp" ? 32768 + (chance % 16384) : 24000;
}

function number(given: Given, name: string, [min, max]: [number, number], otherwise: number): number {
  const value = given[name];
  if (value === undefined) {
    return otherwise;
  }
  if (typeof value !== "string" || !/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new UsageError(`--${name} ${shown(value)} is not a number from ${min} to ${max}`);
  }
  return Number(value);
}

function oneOf<Choice extends string>(
  given: Given,
  name: string,
  choices: readonly Choice[],
  otherwise: Choice,
): Choice {
  const value = given[name] ?? otherwise;
  const choice = choices.find((known) => known === value);
  if (choice === undefined) {
    throw new UsageError(`--${name} ${shown(value)} is not one of ${choices.join(", ")}`);
  }
  return choice;
}

/** Quotes an empty value, as from an unset shell variable, which would be invisible. */
function shown(value: string | boolean | string[]): string {
  return value === "" ? '""' : String(value);
}

function familyOf(given: Given): Family | null {
  if (given.ipv4 === true && given.ipv6 === true) {
    throw new UsageError("-4 and -6 exclude each other: give one of them, or none");
  }
  if (given.ipv4 === true) {
    return 4;
  }
  return given.ipv6 === true ? 6 : null;
}

function sourceOf(given: Given): Address | null {
  if (typeof given.source !== "string") {
    return null;
  }
  const source = parseAddress(given.source);
  if (source === null) {
    throw new UsageError(`--source ${shown(given.source)} is not an IP address`);
  }
  return source;
}

function interfaceOf(given: Given): string | null {
  if (given.interface === "") {
    throw new UsageError('--interface "" is not an interface name');
  }
  return typeof given.interface === "string" ? given.interface : null;
}
