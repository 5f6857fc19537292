/** A NAT: what it makes of a probe, and how much of it it gives back in an error's quote. */
import type { Address } from "../../../lib/net/ip/address.ts";
import { checksum, concat, patched, u16 } from "./bytes.ts";
import { pseudoHeader } from "./ip.ts";
import type { SentProbe } from "./probe-sample.ts";

interface Nat {
  readonly source: Address;
  /** Another source port or ICMP identifier. */
  readonly port?: number;
  /** Gives both back, as it must (RFC 5508 s.4.2), but not the checksum. */
  readonly returns?: "addresses";
}

const checksumAt = new Map([
  [1, 2],
  [58, 2],
  [17, 6],
  [6, 16],
]);

/** What stands in the quote, and what a reply has to say of it. */
export function translated(sent: SentProbe, { source, port, returns }: Nat) {
  const at = sent.ipv4 ? 20 : 40;
  const sourceAt = sent.ipv4 ? 12 : 8;
  const portAt = at + (sent.probe.protocol.startsWith("icmp") ? 4 : 0);
  const sumAt = at + (checksumAt.get(sent.protocolNumber) ?? 0);
  const original = new DataView(sent.packet.buffer, sent.packet.byteOffset);
  const own = sent.ipv4 ? source.slice(12) : source;
  const outgoing = patched(
    patched(sent.packet, sourceAt, [...own]),
    portAt,
    u16(port ?? original.getUint16(portAt)),
  );
  const body = patched(outgoing, sumAt, [0, 0]).slice(at);
  const pseudo =
    sent.protocolNumber === 1 ? [] : pseudoHeader(source, sent.probe.dst, sent.protocolNumber, body.length);
  const sum = checksum(concat(pseudo, body));
  const delta = (sum - original.getUint16(sumAt) + 0xffff) % 0xffff;
  const isBack = returns === "addresses";
  return {
    rewrite: (quote: Uint8Array) =>
      isBack
        ? patched(quote, sumAt, u16(sum))
        : patched(
            patched(patched(quote, sourceAt, [...own]), portAt, [...outgoing.slice(portAt, portAt + 2)]),
            sumAt,
            u16(sum),
          ),
    rewriting: {
      replyRewritten: (isBack ? 0 : 1) + (isBack || port === undefined ? 0 : 2) + (delta === 0 ? 0 : 8),
      replyQuotedSrcPort: isBack ? 0 : (port ?? 0),
      replyChecksumDelta: delta,
      ...(isBack ? {} : { replyQuotedSrcAddr: source }),
    },
  };
}
