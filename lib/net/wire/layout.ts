/**
 * Where the fields of Probe, Reply, Update and their parts lie in a Cap'n Proto message, and the values of Protocol.
 *
 * Made from the schemas beside it by `npm run generate`; do not edit. `…Offset`: bytes from the start of
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

export const replyDataWords = 6;
export const replyPointerWords = 8;
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
export const replyRttUsOffset = 32;
export const replyReplyQuotedTrafficClassOffset = 23;
export const replyReplyNextHopMtuOffset = 30;
export const replyReplyQuotedFlowLabelOffset = 36;
export const replyReplySitePointer = 6;
export const replyReplyRewrittenOffset = 40;
export const replyReplyQuotedSrcPortOffset = 42;
export const replyReplyChecksumDeltaOffset = 44;
export const replyReplyQuotedSrcAddrPointer = 7;

export const communityDataWords = 1;
export const communityPointerWords = 0;
export const communityAsnOffset = 0;
export const communityValueOffset = 4;

export const extendedCommunityDataWords = 1;
export const extendedCommunityPointerWords = 1;
export const extendedCommunityTypeHighOffset = 0;
export const extendedCommunityTypeLowOffset = 1;
export const extendedCommunityValuePointer = 0;

export const largeCommunityDataWords = 2;
export const largeCommunityPointerWords = 0;
export const largeCommunityGlobalAdminOffset = 0;
export const largeCommunityLocalDataPart1Offset = 4;
export const largeCommunityLocalDataPart2Offset = 8;

export const updateDataWords = 8;
export const updatePointerWords = 10;
export const updateTimeReceivedNsOffset = 0;
export const updateTimeBmpHeaderNsOffset = 8;
export const updateRouterAddrPointer = 0;
export const updateRouterPortOffset = 16;
export const updatePeerAddrPointer = 1;
export const updatePeerBgpIdOffset = 20;
export const updatePeerAsnOffset = 24;
export const updatePrefixAddrPointer = 2;
export const updatePrefixLenOffset = 18;
export const updateIsPostPolicyBit = 152;
export const updateIsAdjRibOutBit = 153;
export const updateAnnouncedBit = 154;
export const updateSyntheticBit = 155;
export const updateOriginPointer = 3;
export const updateAsPathPointer = 4;
export const updateNextHopPointer = 5;
export const updateMultiExitDiscOffset = 28;
export const updateLocalPreferenceOffset = 32;
export const updateOnlyToCustomerOffset = 36;
export const updateAtomicAggregateBit = 156;
export const updateAggregatorAsnOffset = 40;
export const updateAggregatorBgpIdOffset = 44;
export const updateCommunitiesPointer = 6;
export const updateExtendedCommunitiesPointer = 7;
export const updateLargeCommunitiesPointer = 8;
export const updateOriginatorIdOffset = 48;
export const updateClusterListPointer = 9;
export const updateMpReachAfiOffset = 52;
export const updateMpReachSafiOffset = 54;
export const updateMpUnreachAfiOffset = 56;
export const updateMpUnreachSafiOffset = 55;
