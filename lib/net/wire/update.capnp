@0x83f9299a125b7932;
# An update: one prefix that a router's peer has announced or withdrawn, as received by a collector.
#
# Records of the topic `bmp-updates` hold one or more of these messages, each stream-framed and unpacked. The file id,
# names and ordinals are those of collectors and stores that exist; never change or reuse one. New fields go at the end.
# Addresses are 16 bytes in network order, IPv4 mapped; router ids are IPv4 as numbers. What was not given is 0 or
# empty. After an edit run `npm run generate`.

struct Update {
  timeReceivedNs @0 :UInt64;       # nanoseconds since 1970, UTC, when the collector received it
  timeBmpHeaderNs @1 :UInt64;      # when the router received it, by its own clock
  routerAddr @2 :Data;
  routerPort @3 :UInt16;           # source port of the router's connection
  peerAddr @4 :Data;
  peerBgpId @5 :UInt32;
  peerAsn @6 :UInt32;
  prefixAddr @7 :Data;
  prefixLen @8 :UInt8;             # bits, in the prefix's own family
  isPostPolicy @9 :Bool;           # RFC 7854 s.4.2
  isAdjRibOut @10 :Bool;           # RFC 8671
  announced @11 :Bool;
  synthetic @12 :Bool;             # a withdrawal that no peer sent: the session ended

  origin @13 :Text;                # IGP, EGP, INCOMPLETE
  asPath @14 :List(UInt32);        # the nearest first
  nextHop @15 :Data;
  multiExitDisc @16 :UInt32;
  localPreference @17 :UInt32;
  onlyToCustomer @18 :UInt32;      # RFC 9234
  atomicAggregate @19 :Bool;
  aggregatorAsn @20 :UInt32;
  aggregatorBgpId @21 :UInt32;
  communities @22 :List(Community);
  extendedCommunities @23 :List(ExtendedCommunity);
  largeCommunities @24 :List(LargeCommunity);
  originatorId @25 :UInt32;
  clusterList @26 :List(UInt32);
  mpReachAfi @27 :UInt16;          # RFC 4760; 0 = no such attribute
  mpReachSafi @28 :UInt8;
  mpUnreachAfi @29 :UInt16;
  mpUnreachSafi @30 :UInt8;
}

struct Community {
  asn @0 :UInt32;
  value @1 :UInt16;
}

struct ExtendedCommunity {
  typeHigh @0 :UInt8;
  typeLow @1 :UInt8;
  value @2 :Data;                  # 6 bytes
}

struct LargeCommunity {
  globalAdmin @0 :UInt32;
  localDataPart1 @1 :UInt32;
  localDataPart2 @2 :UInt32;
}
