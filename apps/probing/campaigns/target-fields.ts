/**
 * A campaign's probes from targets, generated like `vantage probes`: the same lines in every run and revision, as long
 * as these fields stay unchanged.
 *
 *   targets: [192.0.2.1, 198.51.100.0/24]    addresses, and prefixes with random addresses
 *   protocol: udp     ttl: 1-32     flows: 4     packets: 1     per_prefix: 1
 */
import * as v from "valibot";
import { wholeNumber } from "../../../lib/base/api/fields.ts";
import { withoutPassword } from "../../../lib/base/failure/without-password.ts";
import type { Steps } from "../../../lib/base/list/steps.ts";
import { visible } from "../../../lib/base/terminal/foreign-text.ts";
import { packetsMax } from "../../../lib/measuring/campaign/limits.ts";
import { perPrefixMax } from "../../../lib/measuring/probing/limits.ts";
import { Permutation } from "../../../lib/measuring/probing/permutation.ts";
import { ProbeSpace } from "../../../lib/measuring/probing/probe-space.ts";
import { TargetTable } from "../../../lib/measuring/probing/target-table.ts";
import { formatAddress } from "../../../lib/net/ip/address.ts";
import { because, readPrefix } from "../../../lib/net/ip/typed-address.ts";
import { protocols } from "../../../lib/net/packet/probe.ts";
import { formatProbeLine } from "../../../lib/net/wire/probe-line.ts";
import { probesBytesMax } from "./limits.ts";

const ttlMessage = "must be a TTL, or a range, the lower first, as 1-32";

const ttlRange = v.pipe(
  v.union([v.number(), v.string()], ttlMessage),
  v.transform((given) => String(given)),
  v.check((given) => ttlsOf(given) !== null, ttlMessage),
);

/** Targets that the schema checks, as it cannot yield; the rest is checked when lines or prefixes are made of them. */
const checkedAtOnceMax = 1000;

/** Targets, and lines, per step: 1 ms, where each target is in an unusual form. */
const targetsAtOnce = 128;
const linesAtOnce = 512;

const port = wholeNumber(0, 65535);
const protocol = v.picklist(protocols, `must be one of ${protocols.join(", ")}`);

export const targetFields = {
  targets: v.optional(
    v.pipe(
      v.union([v.string(), v.array(v.string())], "must be a list of addresses and prefixes"),
      v.transform((given) => (typeof given === "string" ? given.split(/[\s,]+/) : given)),
      v.transform((given) => given.filter((one) => one !== "")),
      v.minLength(1, "must name a target"),
      v.rawCheck(({ dataset, addIssue }) => {
        for (const one of dataset.typed ? dataset.value.slice(0, checkedAtOnceMax) : []) {
          const read = readPrefix(one);
          if (!read.ok) {
            const shown = visible(withoutPassword(one).slice(0, 60));
            const message = `must be addresses, or prefixes as 192.0.2.0/24: "${shown}" ${read.reason}`;
            addIssue({ message });
          }
        }
      }),
    ),
  ),
  protocol: v.optional(protocol),
  ttl: v.optional(ttlRange),
  flows: v.optional(wholeNumber(1, 65536)),
  packets: v.optional(wholeNumber(1, packetsMax)),
  per_prefix: v.optional(wholeNumber(1, perPrefixMax)),
  src_port: v.optional(port),
  dst_port: v.optional(port),
  seed: v.optional(wholeNumber(0, 2 ** 32 - 1)),
} as const;

/** All but `targets`. */
export const targetFieldNames = [
  "protocol",
  "ttl",
  "flows",
  "packets",
  "per_prefix",
  "src_port",
  "dst_port",
  "seed",
] as const;

export type TargetFields = v.InferOutput<v.StrictObjectSchema<typeof targetFields, undefined>>;

/** The defaults of `vantage probes`. */
export function shapeOf(given: TargetFields) {
  const { ttl = "1-32", flows = 1, src_port: srcPort = 24_000, dst_port: dstPort = 33_434 } = given;
  const [ttlFirst, ttlLast] = ttlsOf(ttl) ?? [1, 32];
  return { ttlFirst, ttlLast, flows, srcPort, dstPort, protocol: given.protocol ?? "udp" };
}

/** Bytes of the shortest probe line, with its end. */
const lineBytesMin = 18;

export type Lines =
  | { readonly ok: true; readonly lines: string }
  | { readonly ok: false; readonly reason: string };

/** In random order by the seed, so that no router is hit by a burst; each packet of a flow is a round later. */
export function* linesOf(targets: readonly string[], given: TargetFields): Steps<Lines> {
  const { per_prefix: perPrefix = 1, seed = 0, packets = 1 } = given;
  const table = new TargetTable({ perPrefix, seed });
  for (const [at, target] of targets.entries()) {
    if (at % targetsAtOnce === 0) {
      yield;
    }
    const read = readPrefix(target);
    const fault = read.ok ? table.add(read.value) : because("is not an address or a prefix", read.reason);
    if (fault !== null) {
      return { ok: false, reason: `${target} ${fault}` };
    }
  }
  const space = spaceOf(table, shapeOf(given));
  if (typeof space === "string") {
    return { ok: false, reason: space };
  }
  const probes = space.size * packets;
  if (probes * lineBytesMin > probesBytesMax) {
    return { ok: false, reason: tooMany(probes) };
  }
  const lines = yield* shuffled(space, seed);
  const all = Array.from({ length: packets }, () => lines).join("");
  return all.length > probesBytesMax ? { ok: false, reason: tooMany(probes) } : { ok: true, lines: all };
}

function tooMany(probes: number): string {
  return `make ${probes} probes, whose lines are more than ${probesBytesMax} bytes: give fewer targets, TTLs or flows`;
}

function spaceOf(table: TargetTable, shape: ReturnType<typeof shapeOf>): ProbeSpace | string {
  const { protocol, srcPort, flows } = shape;
  const ipv4 = protocol === "icmpv6" ? table.firstOfFamily(4) : null;
  if (ipv4 !== null) {
    return `icmpv6 cannot go to ${formatAddress(ipv4)}: give icmp, which is right for both families`;
  }
  if (srcPort + flows - 1 > 65535) {
    return `${flows} flows have only ${65536 - srcPort} ports from src_port ${srcPort} to 65535`;
  }
  return new ProbeSpace(table, shape);
}

function* shuffled(space: ProbeSpace, seed: number): Steps<string> {
  const order = new Permutation(space.size, seed);
  const dst = new Uint8Array(16);
  let lines = "";
  for (let index = 0; index < space.size; index++) {
    if (index % linesAtOnce === 0) {
      yield;
    }
    lines += `${formatProbeLine(space.probe(order.at(index), dst))}\n`;
  }
  return lines;
}

/** `1-32` or `7`; null = neither. */
function ttlsOf(text: string): readonly [number, number] | null {
  const [, first = "", last = first] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text) ?? [];
  const [low, high] = [Number(first), Number(last)];
  return first !== "" && low >= 1 && low <= high && high <= 255 ? [low, high] : null;
}
