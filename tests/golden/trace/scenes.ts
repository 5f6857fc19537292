/** The traces whose whole output is kept: each a path, the options, and what it is there to show. */
import type { MplsLabel } from "../../../lib/net/packet/reply.ts";
import type { SimulatedHop, SimulatedPath } from "./simulated-path.ts";

interface Scene {
  /** Name of its files. */
  readonly name: string;
  readonly path: SimulatedPath;
  /** Arguments of `vantage trace`. */
  readonly args: readonly string[];
  /** Whether its JSON is kept too: for some only, as each RTT takes a line. */
  readonly json?: true;
}

function hop(...routers: string[]): SimulatedHop {
  return { routers };
}

function label(value: number, exp: number, ttl: number, bottomOfStack: boolean): MplsLabel {
  return { label: value, exp, ttl, bottomOfStack };
}

const silent = hop();

export const twoBranches: SimulatedPath = {
  target: "203.0.113.10",
  hops: [
    hop("192.0.2.2"),
    hop("198.51.100.1"),
    hop("198.51.100.2", "198.51.100.3"),
    hop("198.51.100.4", "198.51.100.5"),
    hop("198.51.100.6"),
    silent,
    hop("198.51.100.7"),
  ],
  answers: {},
};

const threeThenTwo: SimulatedPath = {
  target: "2001:db8:cb::10",
  hops: [
    hop("2001:db8:1::1", "2001:db8:1::2", "2001:db8:1::3"),
    hop("2001:db8:2::1", "2001:db8:2::2"),
    hop("2001:db8:3::1"),
  ],
  answers: { openPort: true },
};

const labelled: SimulatedPath = {
  target: "2001:db8:cb::11",
  hops: [
    hop("2001:db8:1::1"),
    { ...hop("2001:db8:2::1"), labels: [label(24015, 0, 1, false), label(3001, 5, 254, true)] },
    { ...hop("2001:db8:2::2"), labels: [label(24016, 1, 1, true)] },
  ],
  answers: {},
};

const slowAndLossy: SimulatedPath = {
  target: "203.0.113.12",
  hops: [
    { ...hop("192.0.2.2"), delayMs: 0.25 },
    { ...hop("198.51.100.1"), delayMs: 300 },
    { ...hop("198.51.100.2"), delayMs: 50, losesOneOf: 3 },
  ],
  answers: { delayMs: 9.9999, losesOneOf: 4 },
};

const refused: SimulatedPath = {
  target: "203.0.113.13",
  hops: [hop("192.0.2.2"), hop("198.51.100.1"), { ...hop("198.51.100.2"), refusesWithCode: 13 }],
  answers: {},
};

const behindSilence: SimulatedPath = {
  target: "203.0.113.14",
  hops: [hop("192.0.2.2"), hop("198.51.100.1"), silent],
  answers: null,
};

const unequal: SimulatedPath = {
  target: "203.0.113.15",
  hops: [hop("192.0.2.2"), hop("198.51.100.1")],
  detour: [hop("198.51.100.8"), hop("198.51.100.9")],
  answers: {},
};

const forged: SimulatedPath = {
  target: "203.0.113.16",
  hops: [hop("192.0.2.2"), { ...hop("198.51.100.1"), forges: true }, hop("198.51.100.2")],
  answers: {},
};

const natted: SimulatedPath = {
  target: "203.0.113.17",
  hops: [
    { ...hop("192.0.2.2"), rewritesTime: true },
    { ...hop("198.51.100.1"), rewritesTime: true, delayMs: 70 },
  ],
  answers: { rewritesTime: true },
};

export const scenes: readonly Scene[] = [
  { name: "two-branches", path: twoBranches, args: [] },
  {
    name: "three-ways-tcp",
    path: threeThenTwo,
    args: ["-p", "tcp", "--dst-port", "443", "--src-port", "24000"],
  },
  { name: "mpls-icmpv6", path: labelled, args: ["-p", "icmp", "--flows", "2"], json: true },
  { name: "slow-and-lossy-icmp", path: slowAndLossy, args: ["-p", "icmp", "-q", "4"] },
  { name: "refused", path: refused, args: ["--flows", "1"], json: true },
  { name: "behind-silence", path: behindSilence, args: ["-q", "1"] },
  { name: "unequal-branches", path: unequal, args: ["--flows", "4"], json: true },
  { name: "forged", path: forged, args: ["--flows", "2"], json: true },
  { name: "behind-a-nat", path: natted, args: [] },
  { name: "one-flow", path: twoBranches, args: ["--flows", "1", "-q", "1", "--src-port", "1024"] },
  { name: "middle-of-a-path", path: twoBranches, args: ["--first-ttl", "3", "-m", "5"] },
];
