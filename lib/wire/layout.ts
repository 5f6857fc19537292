/**
 * Where the fields of Probe, Reply and Mpls lie in a Cap'n Proto message, and the values of Protocol.
 *
 * Made from probe.capnp and reply.capnp by `npm run generate`; do not edit. `…Offset`: bytes from the start of
 * the struct's data section; integers there are little endian. `…Bit`: bits from there, the lowest of a byte
 * first. `…Pointer`: index in the struct's pointer section. `…Words`: 8 bytes each.
 * AssemblyScript compiles this file too, hence nothing but integer constants.
 */

export const protocolTcp = 0;
export const protocolUdp = 1;
export const protocolIcmp = 2;
export const protocolIcmpv6 = 3;

export const probeDataWords = 1;
export const probePointerWords = 1;
export const probeDstAddrPointer = 0;
export const probeSrcPortOffset = 0;
export const probeDstPortOffset = 2;
export const probeTtlOffset = 4;
export const probeProtocolOffset = 6;

export const mplsDataWords = 1;
export const mplsPointerWords = 0;
export const mplsLabelOffset = 0;
export const mplsExpOffset = 4;
export const mplsSBitBit = 40;
export const mplsTtlOffset = 6;

export const replyDataWords = 4;
export const replyPointerWords = 6;
export const replyTimeReceivedNsOffset = 0;
export const replyAgentIdPointer = 0;
export const replyReplySrcAddrPointer = 1;
export const replyReplyDstAddrPointer = 2;
export const replyReplyIdOffset = 8;
export const replyReplySizeOffset = 10;
export const replyReplyTtlOffset = 12;
export const replyReplyQuotedTtlOffset = 13;
export const replyReplyProtocolOffset = 14;
export const replyReplyIcmpTypeOffset = 15;
export const replyReplyIcmpCodeOffset = 16;
export const replyReplyMplsLabelPointer = 3;
export const replyProbeSrcAddrPointer = 4;
export const replyProbeDstAddrPointer = 5;
export const replyProbeIdOffset = 18;
export const replyProbeSizeOffset = 20;
export const replyProbeTtlOffset = 17;
export const replyProbeProtocolOffset = 22;
export const replyProbeSrcPortOffset = 24;
export const replyProbeDstPortOffset = 26;
export const replyRttOffset = 28;
