/** The command lines of `vantage trace` and `vantage ping`, checked whole before anything is sent. */
import { parseArgs } from "node:util";
import { type Address, type Family, parseAddress } from "../../lib/ip/address.ts";
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

/** What the user says; ICMP stands for ICMPv6 when the target is IPv6. */
export type ProtocolChoice = "udp" | "icmp" | "tcp";

export interface Options {
  readonly targets: readonly string[];
  readonly protocol: ProtocolChoice;
  /** Null = whichever the name has, IPv6 first. */
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
  readonly output: "text" | "json";
  readonly live: boolean;
  readonly count: number;
  readonly intervalMs: number;
}

export type ParsedOptions =
  | { readonly kind: "run"; readonly options: Options }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly message: string };

class UsageError extends Error {}

const text = (short?: string) => ({ type: "string" as const, ...(short === undefined ? {} : { short }) });
const flag = (short?: string) => ({ type: "boolean" as const, ...(short === undefined ? {} : { short }) });

const shared = {
  protocol: text("p"),
  ipv4: flag("4"),
  ipv6: flag("6"),
  "src-port": text(),
  "dst-port": text(),
  rate: text(),
  "wait-ms": text("w"),
  source: text("s"),
  interface: text("i"),
  resolve: flag("r"),
  output: text("o"),
  help: flag("h"),
};
const traceOnly = {
  "first-ttl": text("f"),
  "max-ttl": text("m"),
  queries: text("q"),
  flows: text(),
  "no-live": flag(),
};
const pingOnly = { count: text("c"), "interval-ms": text(), ttl: text() };

/** Reads the arguments behind the command's name. A wrong one gives a message that names it and what to do. */
export function parseOptions(command: "trace" | "ping", args: readonly string[]): ParsedOptions {
  try {
    const options = { ...shared, ...(command === "trace" ? traceOnly : pingOnly) };
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const given = values as Readonly<Record<string, string | boolean | undefined>>;
    return given.help === true
      ? { kind: "help" }
      : { kind: "run", options: checked(command, given, positionals) };
  } catch (error) {
    if (error instanceof UsageError || (error instanceof TypeError && "code" in error)) {
      return { kind: "wrong", message: inOneLine(error.message) };
    }
    throw error;
  }
}

/** parseArgs explains itself in several lines; the advice on `--` helps nobody who has mistyped an option. */
function inOneLine(message: string): string {
  const [first = ""] = message.split(". To specify");
  return first.replaceAll("\n", " ").replace(/\.$/, "");
}

type Given = Readonly<Record<string, string | boolean | undefined>>;

function checked(command: "trace" | "ping", given: Given, targets: readonly string[]): Options {
  checkTargets(targets);
  const protocol = oneOf(given, "protocol", ["udp", "icmp", "tcp"], command === "trace" ? "udp" : "icmp");
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
    output: oneOf(given, "output", ["text", "json"], "text"),
    live: given["no-live"] !== true,
    count: number(given, "count", [1, countMax], 5),
    intervalMs: number(given, "interval-ms", [1, intervalMsMax], 1000),
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
  choices: Choice[],
  otherwise: Choice,
): Choice {
  const value = given[name] ?? otherwise;
  const choice = choices.find((known) => known === value);
  if (choice === undefined) {
    throw new UsageError(`--${name} ${shown(value)} is none of ${choices.join(", ")}`);
  }
  return choice;
}

/** An empty value, as of an unset shell variable, would not be seen. */
function shown(value: string | boolean): string {
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
    throw new UsageError(`--source ${shown(given.source)} is no IP address`);
  }
  return source;
}

function interfaceOf(given: Given): string | null {
  if (given.interface === "") {
    throw new UsageError('--interface "" is no name of an interface');
  }
  return typeof given.interface === "string" ? given.interface : null;
}
