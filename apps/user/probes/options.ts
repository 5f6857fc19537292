/** The command line of `vantage probes`, parsed. */
import { wrongUsage } from "../../../lib/command/command/command-error.ts";
import { choice, file, kindOf, number, text, unfit } from "../../../lib/command/command/kinds.ts";
import type { Given } from "../../../lib/command/command/table.ts";
import { perPrefixMax } from "../../../lib/measuring/probing/limits.ts";
import type { ProbeShape } from "../../../lib/measuring/probing/probe-space.ts";
import { protocols } from "../../../lib/net/packet/probe.ts";

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

const port = number(0, 65535, "PORT");
const ttl = number(1, 255);

const known = choice(protocols, "NAME");
const protocol = { ...known, read: (given: string) => known.read(given.toLowerCase()) };

/** `1-32` or `7`. */
const ttlRange = kindOf("A-B", "any", (given): readonly [number, number] => {
  const [first = "", last = first, ...more] = given.split("-");
  const range = [ttl.read(first), ttl.read(last)] as const;
  return more.length > 0 || range[0] > range[1]
    ? unfit("is not one TTL or a range, the lower first, as 1-32")
    : range;
});

export const probesOptions = {
  file: {
    kind: file,
    short: "f",
    multiple: true,
    meaning: "targets from a file, one per line, # for comments; - is standard input",
  },
  perPrefix: { kind: number(1, perPrefixMax), default: 1, meaning: "addresses drawn from each prefix" },
  all: { flag: true, default: false, notWith: ["perPrefix"], meaning: "all addresses of each prefix" },
  protocol: {
    kind: protocol,
    short: "p",
    default: "udp",
    meaning: `${protocols.join(", ")}; icmp is ICMPv6 for IPv6 targets`,
  },
  ttl: { kind: ttlRange, default: [1, 32], defaultText: "1-32", meaning: "range of TTLs, or one" },
  flows: {
    kind: number(1, 65536),
    default: 1,
    meaning: "flows to each address: N source ports, one after another",
  },
  srcPort: { kind: port, default: 24000, meaning: "the first of them; for ICMP the identifier" },
  dstPort: { kind: port, default: 33434, meaning: "destination port" },
  shuffle: {
    flag: true,
    default: true,
    meaning: "by target, flow and TTL; else in random order, so that no router is hit by a burst",
  },
  seed: {
    kind: number(0, Number.MAX_SAFE_INTEGER),
    meaning: "same seed, same bytes; else each run draws and shuffles differently",
  },
} as const;

export const probesArguments = {
  targets: {
    kind: text,
    placeholder: "TARGET",
    many: true,
    meaning: "addresses, and prefixes that addresses are drawn from",
  },
} as const;

type ProbesGiven = Given<typeof probesOptions, typeof probesArguments>;

/** Throws CommandError `usage`. */
export function probesOrder(given: ProbesGiven): Options {
  const { targets, file: files, all, perPrefix, shuffle, seed } = given;
  if (targets.length === 0 && files.length === 0) {
    throw wrongUsage("TARGET is missing: give addresses or prefixes, or a file of them with -f");
  }
  if (files.filter((name) => name === "-").length > 1) {
    throw wrongUsage("-f - stands for standard input, which can be read only once");
  }
  return { shape: shapeOf(given), perPrefix: all ? null : perPrefix, targets, files, shuffle, seed };
}

function shapeOf({ ttl: [ttlFirst, ttlLast], flows, srcPort, dstPort, protocol }: ProbesGiven): ProbeShape {
  if (srcPort + flows - 1 > 65535) {
    const fit = 65536 - srcPort;
    throw wrongUsage(
      `--flows ${flows}: only ${fit} ports from --src-port ${srcPort} to 65535; lower one of them`,
    );
  }
  return { ttlFirst, ttlLast, flows, srcPort, dstPort, protocol };
}
