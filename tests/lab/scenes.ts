/** What the demo shows: each scene one `vantage trace`, and a sentence on what to look at. */
import { targetAddress } from "./responder/scenario.ts";

export interface Scene {
  readonly title: string;
  readonly vantage: "east" | "west";
  /** Arguments of `vantage trace`. */
  readonly args: readonly string[];
  readonly lookAt: string;
  /** 0 = every target was reached, 3 = some were not. */
  readonly exitCode: 0 | 3;
}

const kernelTarget = { v4: "203.0.113.10", v6: "2001:db8:cb::10" };
const delayed = targetAddress(11);
const labelled = targetAddress(13);
const plain = targetAddress(10);
const refused = targetAddress(23);
const untrue = targetAddress(19);

export const scenes: readonly Scene[] = [
  {
    title: "Two equal paths, UDP over IPv4",
    vantage: "east",
    args: [kernelTarget.v4],
    lookAt:
      "Flows part at 10.255.0.3 (split) and meet again at 10.255.0.8 (join). Hop 6 (quiet) never answers.",
    exitCode: 0,
  },
  {
    title: "The same from the other side, UDP over IPv6",
    vantage: "west",
    args: [kernelTarget.v6],
    lookAt: "Another first hop, then the same branches: a router answers from 2001:db8:255::ID.",
    exitCode: 0,
  },
  {
    title: "TCP to an open port, from an address that is on no interface",
    vantage: "east",
    args: ["-p", "tcp", "--dst-port", "80", "-s", "10.101.0.7", "--spoof", kernelTarget.v4],
    lookAt: "The last line is a SYN-ACK. The source lies in a prefix that is only routed to this host.",
    exitCode: 0,
  },
  {
    title: "ICMPv6 through an MPLS tunnel",
    vantage: "west",
    args: ["-p", "icmp", labelled.v6],
    lookAt: "Two hops carry label stacks; the second sends them in the old form without a length.",
    exitCode: 0,
  },
  {
    title: "Delays of 5, 50 and 300 ms, ICMP over IPv4",
    vantage: "east",
    args: ["-p", "icmp", delayed.v4],
    lookAt:
      "Hops 9 to 11 answer late, the target at once: an RTT belongs to a hop, it is not a sum along the path.",
    exitCode: 0,
  },
  {
    title: "Two targets at a time, TCP over IPv6",
    vantage: "west",
    args: ["-p", "tcp", "--dst-port", "443", plain.v6, delayed.v6],
    lookAt: "The first has port 443 open (SYN-ACK), the second refuses (RST): both count as reached.",
    exitCode: 0,
  },
  {
    title: "A target that refuses",
    vantage: "east",
    args: [refused.v4],
    lookAt: "The target itself says why: administratively prohibited.",
    exitCode: 0,
  },
  {
    title: "A hop that loses answers, and a hop that lies",
    vantage: "west",
    args: [untrue.v6],
    lookAt:
      "Hop 9 loses a third. Hop 10 answers from the right address with a wrong tag: nothing of it is believed.",
    exitCode: 0,
  },
];
