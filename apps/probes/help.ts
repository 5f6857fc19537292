/** What `vantage probes --help` prints. */
export const help = `vantage probes: write probe lines for targets and prefixes

  vantage probes [options] TARGET...      targets are addresses or prefixes

A line is dst,src_port,dst_port,ttl,protocol. There is one for each address of each target, flow and TTL.

Targets
  192.0.2.1, 2001:db8::1      one address
  192.0.2.0/24, 2001:db8::/48 random addresses of a prefix
  -f, --file FILE             targets from a file, one a line, # for comments; - is standard input; may be repeated
  --per-prefix N              addresses drawn from each prefix (1)
  --all                       all addresses of each prefix

Probes
  -p, --protocol NAME         udp, icmp, icmpv6 or tcp (udp); icmp is ICMPv6 for IPv6 targets
  --ttl A-B                   range of TTLs, or one (1-32)
  --flows N                   flows to each address: N source ports, one after another (1)
  --src-port PORT             the first of them; for ICMP the identifier (24000)
  --dst-port PORT             (33434)

Order
  --no-shuffle                by target, flow and TTL; else in random order, so that no router is hit by a burst
  --seed N                    same seed, same bytes; else each run draws and shuffles anew
  -h, --help

Examples
  vantage probes 192.0.2.1 2001:db8::1                       traceroute to two targets
  vantage probes --flows 16 -p tcp --dst-port 443 192.0.2.1  16 flows, to see load balancing
  vantage probes --per-prefix 4 --ttl 2-30 -f prefixes.txt   four addresses of each prefix of a file
  vantage probes --all --ttl 64 -p icmp 192.0.2.0/24         ping a /24

Exit codes: 0 done, 1 failure, 2 wrong usage.
`;
