/** Why a message is refused: a closed list, one counter each. */
export type WireReason =
  /** The bytes end inside the message. */
  | "truncated"
  /** More segments than `segmentsMax`. */
  | "segment_count"
  /** More words than `messageWordsMax`. */
  | "message_size"
  /** The message holds no struct at all. */
  | "root_missing"
  /** A pointer of a kind that cannot stand there: a capability, a struct for a list, a far pointer to another. */
  | "pointer_kind"
  /** A pointer leads out of its segment. */
  | "pointer_bounds"
  /** A far pointer names a segment that is not there. */
  | "far_segment"
  /** A list whose elements cannot be read as the schema's type. */
  | "list_element"
  /** Text that is not UTF-8, has no closing NUL, or is longer than its limit. */
  | "text"
  /** An address of neither 16 nor 4 bytes. */
  | "address_length"
  /** A number that the enum does not have. */
  | "protocol_unknown"
  /** ICMP to an IPv6 address, or ICMPv6 to an IPv4 address. */
  | "protocol_family"
  /** A probe with TTL 0 could not leave its host. */
  | "ttl_zero";
