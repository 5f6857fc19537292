/**
 * Offsets in the hot path module's memory: bytes from its start, unless a name says otherwise.
 *
 * AssemblyScript compiles this file too, so it has only integer constants. The memory never grows, so native pointers
 * into it remain valid. All integers are little-endian.
 */

export const memoryPages = 64;

/** Agent id of the replies: length u32, then UTF-8. */
export const agentIdLengthAt = 4096;
export const agentIdAt = 4104;
export const agentIdBytesMax = 240;

/** Tag keys: count u32, then k0 u64 and k1 u64 each. A sender has one: its own. */
export const keyCountAt = 4352;
export const keysAt = 4360;
export const keyBytes = 16;
export const keysMax = 64;

/** Prefixes whose answers are ours: count u32, then base 16 bytes and mask 16 bytes each. */
export const sourceCountAt = 5440;
export const sourcesAt = 5448;
export const sourceBytes = 32;
export const sourcesMax = 128;

/** u32; see EngineConfig.integrityCheck. */
export const integrityCheckAt = 9600;

/** u64 each: the refusals in the order of `refusals` (tests/packet/raw-reply.ts), then the rest. */
export const countersAt = 9664;
export const counterForeign = 9;
export const counterStale = 10;
export const counterMismatch = 11;
export const counterUntagged = 12;
export const counterTcpUnproven = 13;
export const counterMatch = 14;
export const counterFrames = 15;
/**
 * Counters of replies: a wrong ICMP checksum; and labels lost, in the order of `labelLosses`
 * (tests/packet/extensions.ts).
 */
export const counterBadChecksum = 16;
export const counterLabelLosses = 17;
/** And a site's name that is missing or cut, in the order of `siteFlaws` (tests/packet/site-flaw.ts). */
export const counterSiteFlaws = 22;
export const counterCount = 24;

/** u32: bytes of the largest frame with zeros behind it that the back end sends; 0 = none. */
export const paddedBytesMaxAt = 10236;

/** Bytes ahead of the IP header, u32: 14 on Ethernet and loopback, 0 on TUN. Then our MAC. */
export const linkHeaderBytesAt = 10240;
export const sourceMacAt = 10244;

/**
 * Routes of the interface, longest prefix first: count u32, then each
 * 0 base 16 | 16 mask 16 | 32 gateway MAC 6 | 38 kind u8 | 39 unused.
 */
export const routeCountAt = 10256;
export const routesAt = 10264;
export const routeBytes = 40;
export const routeMacOffset = 32;
export const routeKindOffset = 38;
export const routesMax = 512;
export const routeKindGateway = 0;
export const routeKindOnLink = 1;
export const routeKindUnresolved = 2;
/** Ends the IPv4 routes: `::/0` must not match what none of them did. */
export const routeKindNone = 3;

/**
 * Those of the probes filled last that are remembered: count u32, then the print of each, u32, in order; see
 * lib/net/packet/tag.ts.
 */
export const tcpCountAt = 31744;
export const tcpPrintsAt = 31748;

/** Neighbours on the link, an open hash table: 0 address 16 | 16 MAC 6 | 22 used u8 | 23 unused. */
export const neighboursAt = 36864;
export const neighbourBytes = 24;
export const neighbourSlots = 4096;
/** Slots probed before an address counts as absent. */
export const neighbourReach = 16;

/**
 * Probes to send: 0 destination 16 | 16 source 16 | 32 source port u16 | 34 destination port u16 | 36 TTL u8 |
 * 37 protocol u8 (as in the Probe message) | 38 list u16 (its owner's own) | 40 measurement u32 | 44 index u32 |
 * 48 size u16 (IP length in bytes; 0 = as long as the TTL needs) | 50 flags u8 | 51 traffic class u8 |
 * 52 flow label u32 (0 = the flow's).
 */
export const probesAt = 172032;
export const probeBytes = 56;
export const probeSrcPortAt = 32;
export const probeDstPortAt = 34;
export const probeTtlAt = 36;
export const probeProtocolAt = 37;
export const probeListAt = 38;
export const probeMeasurementAt = 40;
export const probeIndexAt = 44;
export const probeSizeAt = 48;
export const probeFlagsAt = 50;
export const probeTrafficClassAt = 51;
export const probeFlowLabelAt = 52;
/** In the flags: IPv4's "don't fragment"; and the DNS question, its place in `dnsQuestions` plus 1, 0 = none. */
export const flagDontFragment = 1;
export const dnsQuestionShift = 1;
export const dnsQuestionMask = 3;
export const batchProbesMax = 256;

/** Frames: each starts 2 bytes into its slot, so that the IP header behind 14 bytes of Ethernet is aligned. */
export const framesAt = 196608;
export const frameSlotBytes = 512;
export const frameStartOffset = 2;
/**
 * Two of struct iovec for each slot, 0 base u64 | 8 length u64: the frame, and the zeros that follow it on the wire
 * where its probe has a size (`paddingAt`). The second one's length is 0 for other probes.
 */
export const iovecsAt = 327680;
export const iovecBytes = 32;
export const iovecLengthAt = 8;
export const iovecPaddingAt = 16;
export const iovecPaddingLengthAt = 24;
/** struct mmsghdr, of which only `msg_iov` (16) and `msg_iovlen` (24) are set: 2 where the second iovec is in use. */
export const messagesAt = 335872;
export const messageIovecsAt = 24;
export const messageBytes = 64;

/** Why `fill` stopped before its last probe. */
export const stopNone = 0;
export const stopNoRoute = 1;
export const stopNeighbour = 2;
/** An equal probe has left in this tick. */
export const stopEqual = 3;
/** Its size needs more zeros behind the frame than the back end sends. */
export const stopPadding = 4;

/**
 * Probes of the current tick, an open hash table: 0 name u64 | 8 tick u32 | 12 unused. A sender of 1,500,000 probes/s
 * has 150 in a tick.
 */
export const departedAt = 352256;
export const departedBytes = 16;
export const departedSlots = 1024;
/** Slots probed before a probe waits for the next tick. */
export const departedReach = 16;

/** Destinations that an echo reply from another address may answer, 16 bytes each: those of one tick. */
export const echoTargetsAt = 368640;
export const echoTargetsMax = 512;

/** Zeros: a sender captures nothing. */
export const paddingAt = 393216;
/**
 * Behind them the frames with a size of the back end `xdp`, whose zeros must be beside them: a slot for each of the
 * frames, with the same start.
 */
export const paddedFramesAt = 458752;
export const paddedSlotBytes = 2048;

/** Captured packets, as a pcap savefile. */
export const captureAt = 393216;
export const captureBytes = 1572864;

/**
 * Replies, one record after another:
 * 0 record bytes u32 (a multiple of 8, header included) | 4 key i32 (-1 = mismatch) | 8 sent tick i64 |
 * 16 tag mask u64 | 24 tag value u64 | 32 measurement u32 (the receiver's to fill) | 36 message bytes u32 |
 * 40 the Reply as a Cap'n Proto message.
 */
export const repliesAt = 1966080;
export const repliesBytes = 2097152;
export const replyHeaderBytes = 40;
export const replyKeyOffset = 4;
export const replySentTickOffset = 8;
export const replyTagMaskOffset = 16;
export const replyTagValueOffset = 24;
export const replyMeasurementOffset = 32;
export const replyMessageBytesOffset = 36;
/** A reply with the longest agent id and the deepest label stack is shorter than this. */
export const replyRecordBytesMax = 768;
