/**
 * What tells replies of the same time apart, and puts those of one insert into the order of their capture: 40 bits of
 * nanoseconds, which wrap after 18 minutes, then 24 of a hash. Rows alike in all of it are one reply that was
 * published twice.
 */
export function rowKey(row: string): string {
  const names = ["agent_id", "reply_src_addr", "reply_id", "probe_src_addr", "probe_dst_addr", "probe_id"];
  const hashed = [...names, "probe_protocol", "probe_src_port", "probe_dst_port", "probe_ttl", "rtt"];
  return `bitOr(bitShiftLeft(toUInt64(toUnixTimestamp64Nano(${row}.time_received_ns)) % 1099511627776, 24),
    cityHash64(${hashed.map((name) => `${row}.${name}`).join(", ")}) % 16777216)`;
}
