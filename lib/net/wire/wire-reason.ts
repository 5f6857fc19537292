/** Why a message is refused: a closed list, one counter each. */
export type WireReason =
  /** The bytes end inside the message. */
  | "truncated"
  /** More segments than `segmentsMax`. */
  | "segmentCount"
  /** More words than `messageWordsMax`. */
  | "messageSize"
  /** The message holds no struct at all. */
  | "rootMissing"
  /** A pointer of the wrong kind: a capability, a struct for a list, a far pointer to another. */
  | "pointerKind"
  /** A pointer leads out of its segment. */
  | "pointerBounds"
  /** A far pointer names a segment that does not exist. */
  | "farSegment"
  /** A list whose elements cannot be read as the schema's type. */
  | "listElement"
  /** Text that is not UTF-8, has no closing NUL, or is longer than its limit. */
  | "text"
  /** An address of neither 16 nor 4 bytes. */
  | "addressLength"
  /** A number that the enum does not have. */
  | "protocolUnknown"
  /** ICMP to an IPv6 address, or ICMPv6 to an IPv4 address. */
  | "protocolFamily"
  /** A probe with TTL 0 could not leave its host. */
  | "ttlZero";
