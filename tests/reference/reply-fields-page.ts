/** Renders docs/reference/reply-fields.md from the table in reply-fields.ts. */
import { type ReplyField, replyColumns, replyFields } from "../../lib/net/wire/reply-fields.ts";
import { sourceTexts } from "../../lib/net/wire/reply-sources.ts";
import { replyProof } from "./reply-proof-page.ts";

const head = `# Fields of a reply

Made from \`lib/net/wire/reply-fields.ts\` by \`npm run generate\`; do not edit.

A reply is one captured answer. Four kinds of answer count: an ICMP or ICMPv6 **error**, which quotes the probe; an
**echo reply**; a TCP **SYN-ACK or RST**; and a name server's **answer to a DNS probe**. All but errors come from the
target itself and quote nothing, so what they say of the probe is what the answer itself implies. The schema is
\`lib/net/wire/reply.capnp\`.

- Addresses are 16 bytes in network order, IPv4 mapped (\`::ffff:192.0.2.1\`).
- Sizes are those of existing readers: IPv4 counts its header, IPv6 does not count its own.
- \`rtt\` is a difference of two clock readings, each cut to a tick of 0.1 ms, so it may be off by one tick. It is
  65535 when it is unknown: the tag does not match, or another site sent the probe.
- A site's name is printable ASCII, at most 128 bytes; one of other bytes is \`0x\` and hexadecimal digits of 63.
- A label has \`label\` (20 bits), \`exp\` (3 bits), \`sBit\` (bottom of the stack) and \`ttl\`; at most 16 are kept.

"Answer" is the captured packet outside any quote; ← means as in the column to the left.
`;

export function replyFieldsPage(): string {
  const titles = ["field", "unit", ...replyColumns.map((column) => column.title)];
  const names = ["field", "column of the store", "in JSON and CSV", "is"];
  return [
    `${head}\n${tableOf(titles, replyFields.map(row))}`,
    `## Names\n\n${tableOf(names, replyFields.map(nameRow))}`,
    storedOnly,
    replyProof(),
  ].join("\n");
}

function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [titles, titles.map(() => "---"), ...rows];
  return `${all.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

function nameRow({ name, column, json, meaning }: ReplyField): string[] {
  return [`\`${name}\``, `\`${column}\``, `\`${json}\``, meaning];
}

const storedOnly = `The store adds \`measurement_id\`, \`probe_agent\` and \`probe_instance\` from the record's
headers; JSON and CSV have them, \`attribution\` (docs/internals/store.md), and \`says\`, the kind of answer in
words. In JSON an
address and a protocol are text, \`rtt_ms\` is in milliseconds.

## Round-trip times

A probe carries the tick of 0.1 ms in which it left, and the agent notes when within the tick that was, to the
microsecond. The note is one for a batch, the packets that the agent hands to the kernel in one call:

- Up to a \`probing_rate\` of 200,000/s each batch has a tick of its own, and \`rttUs\` is known for every reply of the
  agent's own probes. Above, and with \`rate_limiting_method: active\` or \`none\`, batches may share a tick: replies to
  these have \`rttUs\` 0, and \`rtt\` is all that is known.
- A batch's time is read before its packets are filled. The last of 64 leaves up to some 60 µs later, which counts as
  part of its round trip; at 10,000/s and below a batch is one packet as a rule, which leaves within some 10 µs. The
  other end is the kernel's stamp of the received packet, in nanoseconds.
- 0 also where \`rtt\` is unknown, where the clock was set back in between, and in replies to probes of other sites.
- \`vantage import\` stores what the file has, to the microsecond.
`;

function row(field: ReplyField): string[] {
  const texts = replyColumns.map(({ id }) => sourceTexts[field.sources[id]]);
  const cells = texts.map((text, i) => (text === texts[i - 1] ? "←" : text));
  return [`\`${field.name}\``, field.unit, ...cells];
}
