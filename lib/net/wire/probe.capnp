@0xe4af8a0924a7def3;
# A probe on its way to an agent: one packet to send.
#
# Records of the topic `measure-probes` hold any number of these messages one after another, each stream-framed
# and unpacked. What else an agent needs (source address, measurement) is in the record's headers.
#
# The file id, the ordinals and the enum values are those of existing agents and gateways; never change
# or reuse one. New fields go at the end. After an edit run `npm run generate`.

enum Protocol {
  tcp @0;     # a bare SYN
  udp @1;
  icmp @2;    # echo request, IPv4 targets only
  icmpv6 @3;  # echo request, IPv6 targets only
}

struct Probe {
  dstAddr @0 :Data;
  # 16 bytes in network order, IPv4 mapped (::ffff:a.b.c.d). Readers accept 4 bytes too.
  srcPort @1 :UInt16;
  # UDP and TCP: the port. ICMP and ICMPv6: identifier and checksum, so that it names the flow.
  dstPort @2 :UInt16;
  # Not sent for ICMP and ICMPv6.
  ttl @3 :UInt8;
  # IPv4 time to live or IPv6 hop limit, 1-255.
  protocol @4 :Protocol;
}
