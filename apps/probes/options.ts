/** The command line of `vantage probes`, checked completely before anything is read or written. */
import {
  type OptionValues,
  type ParsedCommandLine,
  parseCommandLine,
  UsageError,
} from "../../lib/config/command-line.ts";
import { numberOf } from "../../lib/config/option-values.ts";
import { type Protocol, protocols } from "../../lib/packet/probe.ts";
import { perPrefixMax } from "./limits.ts";
import type { ProbeShape } from "./probe-space.ts";

export interface Options {
  readonly shape: ProbeShape;
  /** Addresses of each prefix; null is all of them. */
  readonly perPrefix: number | null;
  /** Texts of targets, as given. */
  readonly targets: readonly string[];
  /** Files of targets; "-" is standard input. */
  readonly files: readonly string[];
  readonly shuffle: boolean;
  /** Null = a random seed. */
  readonly seed: number | null;
}

export const probesOptions = {
  ttl: { type: "string", default: "1-32" },
  flows: { type: "string", default: "1" },
  "src-port": { type: "string", default: "24000" },
  "dst-port": { type: "string", default: "33434" },
  protocol: { type: "string", short: "p", default: "udp", values: protocols },
  "per-prefix": { type: "string" },
  all: { type: "boolean", default: false },
  file: { type: "string", short: "f", multiple: true, values: "file" },
  shuffle: { type: "boolean", default: true },
  seed: { type: "string" },
} as const;

/** Reads the arguments behind `vantage probes`. A wrong argument gives a message that names it and the next step. */
export function parseOptions(args: readonly string[]): ParsedCommandLine<Options> {
  return parseCommandLine(args, { options: probesOptions, check: checked });
}

type Values = OptionValues<typeof probesOptions>;

function checked(values: Values, targets: readonly string[]): Options {
  const files = values.file ?? [];
  if (targets.length === 0 && files.length === 0) {
    throw new UsageError("No target: name addresses or prefixes, or a file of them with -f");
  }
  if (files.filter((file) => file === "-").length > 1) {
    throw new UsageError("-f - stands for standard input, which can be read only once");
  }
  if (values.all && values["per-prefix"] !== undefined) {
    throw new UsageError("--all and --per-prefix exclude each other: give one of them");
  }
  return {
    shape: shapeOf(values),
    perPrefix: values.all ? null : numberOf("--per-prefix", values["per-prefix"] ?? "1", [1, perPrefixMax]),
    targets,
    files,
    shuffle: values.shuffle,
    seed: values.seed === undefined ? null : numberOf("--seed", values.seed, [0, Number.MAX_SAFE_INTEGER]),
  };
}

function shapeOf(values: Values): ProbeShape {
  const [ttlFirst, ttlLast] = ttlRange(values.ttl);
  const flows = numberOf("--flows", values.flows, [1, 65536]);
  const srcPort = numberOf("--src-port", values["src-port"], [0, 65535]);
  if (srcPort + flows - 1 > 65535) {
    const fit = 65536 - srcPort;
    throw new UsageError(
      `--flows ${flows}: only ${fit} ports from --src-port ${srcPort} to 65535; lower one of them`,
    );
  }
  const dstPort = numberOf("--dst-port", values["dst-port"], [0, 65535]);
  return { ttlFirst, ttlLast, flows, srcPort, dstPort, protocol: protocolOf(values.protocol) };
}

/** `1-32` or `7`. */
function ttlRange(text: string): [number, number] {
  const [first = "", last = first, ...more] = text.split("-");
  const range: [number, number] = [numberOf("--ttl", first, [1, 255]), numberOf("--ttl", last, [1, 255])];
  if (more.length > 0 || range[0] > range[1]) {
    throw new UsageError(`--ttl "${text}": give one TTL or a range, the lower first, as 1-32`);
  }
  return range;
}

function protocolOf(text: string): Protocol {
  const protocol = protocols.find((name) => name === text.toLowerCase());
  if (protocol === undefined) {
    throw new UsageError(`-p "${text}": give one of ${protocols.join(", ")}`);
  }
  return protocol;
}
