/** ICMP extension structures (RFC 4884) with MPLS label stacks (RFC 4950), as compliant and older routers send them. */
import type { MplsLabel } from "../../../lib/net/packet/reply.ts";
import { checksum, concat, padded, patched, u16, u32, zeros } from "./bytes.ts";

export interface Extension {
  /** Objects, one after another; see `mplsObject`. */
  readonly objects: Uint8Array;
  /** Legacy routers do not say how long the quote is: it has 128 bytes. Short ones do not pad it to as many. */
  readonly style: "compliant" | "legacy" | "short";
  readonly checksum?: "right" | "zero" | "wrong";
  /** 2, unless given. */
  readonly version?: number;
}

/** Length 2, class 1, type 1, then entries of label 20 bits | exp 3 | bottom of stack 1 | TTL 8. */
export function mplsObject(labels: readonly MplsLabel[]): Uint8Array {
  const entries = labels.flatMap(({ label, exp, bottomOfStack, ttl }) => {
    return u32(label * 4096 + exp * 512 + (bottomOfStack ? 256 : 0) + ttl);
  });
  return concat(u16(4 + entries.length), [1, 1], entries);
}

/** An object of another class, here the interface information of RFC 5837. */
export const otherObject = concat(u16(12), [2, 0x0a], u32(7), [10, 0, 0, 1]);

/** The quote with an extension structure behind it, and bytes 4–7 of the ICMP header. */
export function extended(quote: Uint8Array, ipv4: boolean, extension: Extension) {
  const unit = ipv4 ? 4 : 8;
  const least = Math.max(extension.style === "short" ? 0 : 128, Math.ceil(quote.length / unit) * unit);
  const room = extension.style === "legacy" ? padded(quote.slice(0, 128), 128) : padded(quote, least);
  const length = extension.style === "legacy" ? 0 : room.length / unit;
  const rest = ipv4 ? [0, length, 0, 0] : [length, 0, 0, 0];
  return { rest, body: concat(room, structure(extension)) };
}

function structure(extension: Extension): Uint8Array {
  const bare = concat([(extension.version ?? 2) << 4, 0], zeros(2), extension.objects);
  const sum = checksum(bare);
  const sums = { right: sum, zero: 0, wrong: sum ^ 0x0101 };
  return patched(bare, 2, u16(sums[extension.checksum ?? "right"]));
}
