@0xb9d4bebd3a8258c7;
# A reply: one captured answer, and the probe that it answers.
#
# Records of the topic `measure-replies` hold one or more of these messages, each stream-framed and unpacked.
# The column store reads them with this very file. What each field holds for each protocol and kind of answer
# is the table in docs/reference/reply-fields.md.
#
# The file id and the ordinals are those of existing agents and stores; never change or reuse one.
# New fields go at the end. After an edit run `npm run generate`.

struct Mpls {
  # One entry of an MPLS label stack (RFC 3032 s.2.1), as routers report it (RFC 4950).
  label @0 :UInt32;  # 20 bits
  exp @1 :UInt8;     # traffic class, 3 bits
  sBit @2 :Bool;     # set on the bottom of the stack
  ttl @3 :UInt8;
}

struct Reply {
  timeReceivedNs @0 :UInt64;  # nanoseconds since 1970, UTC, as the capture stamped the packet
  agentId @1 :Text;           # the agent that captured the answer

  # The answer. Addresses are 16 bytes in network order, IPv4 mapped; readers accept 4 bytes too.
  replySrcAddr @2 :Data;
  replyDstAddr @3 :Data;
  replyId @4 :UInt16;         # IPv4 identification; 0 for IPv6
  replySize @5 :UInt16;       # bytes: IPv4 total length, IPv6 payload length
  replyTtl @6 :UInt8;
  replyQuotedTtl @7 :UInt8;   # TTL in the packet that an ICMP error quotes
  replyProtocol @8 :UInt8;    # IANA protocol number
  replyIcmpType @9 :UInt8;
  replyIcmpCode @10 :UInt8;   # of a TCP answer: its flags
  replyMplsLabel @11 :List(Mpls);  # top of the stack first

  # The probe, as the answer quotes or implies it.
  probeSrcAddr @12 :Data;
  probeDstAddr @13 :Data;
  probeId @14 :UInt16;
  probeSize @15 :UInt16;
  probeTtl @16 :UInt8;        # the TTL that the probe was sent with
  probeProtocol @17 :UInt8;   # IANA protocol number
  probeSrcPort @18 :UInt16;
  probeDstPort @19 :UInt16;
  rtt @20 :UInt16;            # tenths of a millisecond; 65535 when unknown

  # Not fields of existing agents and stores: their messages lack them, and their readers skip them.
  rttUs @21 :UInt32;          # rtt in microseconds; 0 when known only in tenths of a millisecond, or unknown
  replyQuotedTrafficClass @22 :UInt8;  # DSCP and ECN in the packet that an ICMP error quotes
  replyNextHopMtu @23 :UInt16;         # bytes that fit, by an error for a packet that was too big; else 0
  replyQuotedFlowLabel @24 :UInt32;    # of IPv6, 20 bits, in the packet that an ICMP error quotes
  replySite @25 :Text;                 # the name that a name server's site gives itself, by its answer to a DNS probe

  # What the quote has otherwise than it was sent. The probe's own fields above are as sent. Where nothing differs,
  # messages end before these.
  replyRewritten @26 :UInt8;           # bits: 1 source, 2 source port, 4 destination, 8 checksum, 16 identification
  replyQuotedSrcPort @27 :UInt16;      # with bit 2; of ICMP the identifier
  replyChecksumDelta @28 :UInt16;      # quoted checksum minus the one that was sent, modulo 65535
  replyQuotedSrcAddr @29 :Data;        # with bit 1
}
