/**
 * A key that distinguishes replies with the same time, and orders those of one insert by capture: 40 bits of
 * nanoseconds, which wrap after 18 minutes, then 24 of a hash. Rows with the same key are one reply that was published
 * twice.
 */
export function rowKey(row: string): string {
  const names = ["agent_id", "reply_src_addr", "reply_id", "probe_src_addr", "probe_dst_addr", "probe_id"];
  const hashed = [...names, "probe_protocol", "probe_src_port", "probe_dst_port", "probe_ttl", "rtt"];
  return `bitOr(bitShiftLeft(toUInt64(toUnixTimestamp64Nano(${row}.time_received_ns)) % 1099511627776, 24),
    cityHash64(${hashed.map((name) => `${row}.${name}`).join(", ")}) % 16777216)`;
}
