/** The MPLS labels of an answer as warts has ICMP extensions (RFC 4884, RFC 4950). */
import type { TraceReply } from "./trace.ts";
import type { WartsBytes } from "./warts-bytes.ts";

const mpls = { class: 1, type: 1 } as const;

export function mplsExtensions(to: WartsBytes, labels: TraceReply["reply_mpls_labels"]): void {
  const bytes = 4 * labels.length;
  to.u16(bytes + 4)
    .u16(bytes)
    .u8(mpls.class)
    .u8(mpls.type);
  for (const { label, exp, bottom_of_stack: bottom, ttl } of labels) {
    to.u32(((label << 12) | (exp << 9) | (Number(bottom) << 8) | ttl) >>> 0);
  }
}
