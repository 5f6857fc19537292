/**
 * What the responder plays, as data: virtual targets, each behind a row of virtual hops.
 *
 * Target 10 is 198.51.100.10 and 2001:db8:51::10, hop 3 is 10.200.0.3 and 2001:db8:200::3: the id is the last part
 * of both addresses as text. A packet that arrives with TTL t is answered by hop t of its target's row, or by the
 * target when the row is shorter.
 */

export interface LabelEntry {
  readonly label: number;
  readonly exp: number;
  readonly ttl: number;
}

/** How an answer is made; without any of these a hop answers at once, truthfully, with all it received. */
export interface Behaviour {
  readonly silent?: boolean;
  readonly delayMs?: number;
  /** Loss of answers; the pattern is the same in every run. */
  readonly lossPercent?: number;
  /** Only the second of two probes is answered, and so often. */
  readonly answersOfEverySecond?: number;
  /** MPLS label stack of the ICMP error (RFC 4950); legacy = no length field (RFC 4884 s.5.5). */
  readonly labels?: { readonly form: "compliant" | "legacy"; readonly stack: readonly LabelEntry[] };
  /** How much of the probe after its IP header is quoted; RFC 792 asks for 8 bytes. */
  readonly quotedBytes?: number;
  /** Quote with another UDP checksum (or ICMP sequence) than was sent, as behind a careless NAT. */
  readonly rewritesChecksum?: boolean;
  /** Everything as sent but the tag: what a forger sends who knows addresses and ports only. */
  readonly forgesTag?: boolean;
}

interface VirtualHop extends Behaviour {
  readonly id: number;
}

export interface VirtualTarget extends Behaviour {
  readonly id: number;
  readonly purpose: string;
  readonly hops: readonly VirtualHop[];
  /** Ports that answer a SYN with SYN-ACK; others with RST. */
  readonly openTcpPorts?: readonly number[];
  /** Codes of "destination unreachable" for everything; without it only UDP gets one, port unreachable. */
  readonly unreachable?: { readonly v4: number; readonly v6: number };
}

const plainHops: readonly VirtualHop[] = [{ id: 1 }, { id: 2 }];

export const virtualTargetList: readonly VirtualTarget[] = [
  { id: 10, purpose: "answers everything", hops: plainHops, openTcpPorts: [80, 443] },
  {
    id: 11,
    purpose: "hops that answer after 5, 50 and 300 ms",
    hops: [
      { id: 11, delayMs: 5 },
      { id: 12, delayMs: 50 },
      { id: 13, delayMs: 300 },
    ],
    openTcpPorts: [80],
  },
  { id: 12, purpose: "a hop that answers after 7 s", hops: [{ id: 14, delayMs: 7000 }], openTcpPorts: [80] },
  {
    id: 13,
    purpose: "an MPLS tunnel: compliant and legacy label stacks",
    hops: [
      {
        id: 15,
        labels: {
          form: "compliant",
          stack: [
            { label: 24015, exp: 0, ttl: 1 },
            { label: 3001, exp: 5, ttl: 254 },
          ],
        },
      },
      { id: 16, labels: { form: "legacy", stack: [{ label: 24016, exp: 1, ttl: 1 }] } },
      { id: 17 },
    ],
    openTcpPorts: [80],
  },
  {
    id: 14,
    purpose: "a hop that quotes 8 bytes only",
    hops: [{ id: 18, quotedBytes: 8 }, { id: 19 }],
    openTcpPorts: [80],
  },
  {
    id: 15,
    purpose: "a hop behind a device that rewrites checksums",
    hops: [{ id: 20, rewritesChecksum: true }, { id: 21 }],
    openTcpPorts: [80],
  },
  {
    id: 16,
    purpose: "a hop and a target whose answers are forged",
    hops: [{ id: 22, forgesTag: true }, { id: 23 }],
    openTcpPorts: [80],
    forgesTag: true,
  },
  { id: 17, purpose: "a hop that loses a third of its answers", hops: [{ id: 24, lossPercent: 33 }] },
  {
    id: 18,
    purpose: "a silent hop, then a silent target",
    hops: [{ id: 25, silent: true }, { id: 26 }],
    silent: true,
  },
  {
    id: 19,
    purpose: "a hop that loses a third of its answers, then one whose answers are forged",
    hops: [
      { id: 24, lossPercent: 33 },
      { id: 22, forgesTag: true },
    ],
    openTcpPorts: [80],
  },
  { id: 20, purpose: "network unreachable", hops: plainHops, unreachable: { v4: 0, v6: 0 } },
  { id: 21, purpose: "host unreachable", hops: plainHops, unreachable: { v4: 1, v6: 3 } },
  { id: 22, purpose: "protocol unreachable", hops: plainHops, unreachable: { v4: 2, v6: 4 } },
  { id: 23, purpose: "administratively prohibited", hops: plainHops, unreachable: { v4: 13, v6: 1 } },
  { id: 24, purpose: "refused by policy", hops: plainHops, unreachable: { v4: 10, v6: 5 } },
  {
    id: 25,
    purpose: "a hop and a target that answer every second probe, each twice",
    hops: [{ id: 27, answersOfEverySecond: 2 }],
    answersOfEverySecond: 2,
  },
];

/** Answers nothing: the UDP port of a packet to it is how many milliseconds later all answers come from then on. */
export const delayTarget = "198.51.100.250";

export function targetAddress(id: number): { v4: string; v6: string } {
  return { v4: `198.51.100.${id}`, v6: `2001:db8:51::${id}` };
}

export function hopAddress(id: number): { v4: string; v6: string } {
  return { v4: `10.200.0.${id}`, v6: `2001:db8:200::${id}` };
}
