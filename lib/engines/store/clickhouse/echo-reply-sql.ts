/**
 * Echo replies in SQL: they are the destination's, whatever their source address, as a host may reply from another of
 * its addresses (RFC 4443 s.4.2). lib/net/packet/answer-kind.ts has the same rule.
 */
import { ianaNumber } from "../../../net/packet/probe.ts";

/** @param row qualifier of the columns, such as `one.`; empty = none */
export function isEchoReplySql(row = ""): string {
  const kinds = `((${ianaNumber.icmp}, 0), (${ianaNumber.icmpv6}, 129))`;
  return `(${row}reply_protocol, ${row}reply_icmp_type) IN ${kinds}`;
}
