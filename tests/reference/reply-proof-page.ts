/** The second half of docs/reference/reply-fields.md: which answers become replies, and how the others are counted. */

const intro = `## Which answers become replies

Each probe carries 64 keyed bits, its tag (\`lib/net/packet/tag.ts\`), over destination, port, TTL, protocol, agent,
instance and send time. What of it comes back proves whose probe an answer belongs to; for TCP so does what the agent
remembers: a print of 32 bits of every TCP probe of the last 6.5 s, 41 bytes for each a second of \`probing_rate\`,
84 MB at most (\`apps/probing/agent/engine/tcp-memory.ts\`). An answer to TCP has to fit a probe that left in the very
tick of 0.1 ms which it names.
`;

/** Answer, bits proven in IPv4 and in IPv6, and one foreign answer in how many fits. */
const proofs = [
  ["answer", "bits proven, IPv4", "IPv6", "one foreign answer fits in"],
  ["echo reply; error that quotes 18 bytes or more of UDP, ICMP", "64", "64", "10^19"],
  ["error that quotes 8 bytes of UDP, ICMP", "16", "none", "65,536 (IPv4)"],
  ["error that quotes TCP", "24, memory", "8, memory", "10^14 (IPv4), 7 × 10^9 (IPv6)"],
  ["SYN-ACK, RST", "8, memory", "8, memory", "7 × 10^9"],
  ["answer to `nsid`; error that quotes its question", "64", "64", "10^19"],
  ["other DNS answer with our cookie; error that quotes the cookie", "48", "48", "10^14"],
  ["other DNS answer", "memory", "memory", "3 × 10^7"],
] as const;

const between = `The last column is for one instance, that of the memory at 1,500,000 TCP probes a second; n instances
make it n times as likely. An answer that proves nothing is dropped, and counted by its reason, each a metric of
[an agent](agent-metrics.md):
`;

/** Reason, metric, and what becomes of it with `integrity_check: false`. */
const reasons = [
  ["reason", "metric", "with `integrity_check: false`"],
  [
    "neither the source that it names nor, of an error, its own destination is ours",
    "`reply_foreign`",
    "dropped",
  ],
  ["more than 6.5 s after its probe: the time has wrapped", "`reply_stale`", "dropped"],
  [
    "ICMP whose tag does not fit: the host's own UDP, other programs that probe, a NAT that left its port in the " +
      "quote, or rewrote one of less than 18 bytes",
    "`reply_mismatch`",
    "kept, `rtt` 65535",
  ],
  ["ICMP that quotes nothing of a tag", "`reply_untagged`", "kept, `rtt` 65535"],
  [
    "TCP that fits no probe of this agent: the host's own connections",
    "`reply_tcp_unproven`",
    "SYN-ACK and RST dropped; ICMP kept, `rtt` 65535",
  ],
  ["a name server's answer that fits no query of this agent", "`reply_mismatch`", "dropped"],
  ["by its form no answer to a probe", "`receiver_refused`", "dropped"],
] as const;

const end = `A TCP probe of another site (\`anycast_peers\`) is not remembered here, and what comes back is too little
to prove it: answers to it are \`reply_tcp_unproven\`. Catchments are measured by ICMP and UDP. Where more TCP leaves
than there is room for (a gateway can raise \`probing_rate\` above that of the file, or above 50,000),
\`sender_tcp_forgotten\` counts it and the log says so; answers to the probes counted there are unproven. A new start
makes room for the new rate.
`;

const accepted = `## What is accepted of real routers

- **Labels** are read where the header says that the quote ends, if it says 128 bytes or more (RFC 4884), with a
  right checksum or none; else at byte 128, with a right checksum; else where a smaller length says. So a router that
  writes garbage, or nothing, into the length costs neither reply nor labels. Labels that are not kept are counted as
  \`labels_lost\`: \`bad_version\`, \`bad_checksum\`, \`cut\` (the capture keeps 640 bytes), \`malformed\` (a length
  contradicts the packet: those before it are kept), \`too_many\` (more than 16: the top ones are kept).
- **Name servers**: of an answer as many bytes count as were captured, 64 records and 32 options. A site's name that is
  behind them, or longer than what is kept, is counted as \`sites_lost\`; the reply stays.
- **An ICMP checksum that is wrong** does not cost the reply: routers and middleboxes that change a message and forget
  it are more common than damage, and the tag proves what was quoted. \`reply_bad_checksum\` counts such replies. TCP
  checksums are not checked: a host that answers itself leaves them to its card.
- **VLAN tags**: none, one or two, of 802.1Q and 802.1ad in any order. More do not pass the capture's filter.
- **Extension headers** of IPv6 before the answer: up to eight. Of an answer in fragments, the first counts.
`;

export function replyProof(): string {
  return [intro, table(proofs), between, table(reasons), end, accepted].join("\n");
}

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows;
  const lines = [head, head.map(() => "---"), ...rest].map((cells) => `| ${cells.join(" | ")} |`);
  return `${lines.join("\n")}\n`;
}
