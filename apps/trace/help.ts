/** The help texts of trace and ping. */

const sharedOptions = `  -4, --ipv4               only IPv4 (default: what the name has, IPv6 first)
  -6, --ipv6               only IPv6
  -s, --source IP          send from this address; it may lie in a prefix that is only routed to this host
  -i, --interface NAME     send by this interface (default: the route's)
      --src-port N         source port, or ICMP identifier, of the first flow (default 24000; TCP: chosen anew)
      --dst-port N         destination port (default 33434 for UDP, 80 for TCP)
      --rate N             probes a second, of all targets together (default 1000)
  -w, --wait-ms N          how long an answer may take (default 2000, at most 6500)`;

const remoteOptions = `      --from AGENT         agents that probe instead: west,east:[2001:db8::1]
      --gateway URL        the gateway of --from (default: VANTAGE_GATEWAY, else that of the login)
      --profile NAME       whose login for --from (default: VANTAGE_PROFILE, else the one of the gateway)
      --token-stdin        for --from: take the token from standard input; VANTAGE_TOKEN does the same`;

const exitCodes =
  "Exit codes: 0 all targets reached, 1 failure, 2 wrong usage, 3 some target not reached, 130 interrupted.";

export const traceHelp = `vantage trace: the paths to targets, with all their branches

  vantage trace [options] TARGET...        targets are addresses or host names

  -p, --protocol P         udp (default), icmp (ICMPv6 for IPv6 targets), tcp (SYN)
  -f, --first-ttl N        first hop to probe (default 1)
  -m, --max-ttl N          last hop to probe (default 32)
  -q, --queries N          probes for each hop and flow (default 3)
      --flows N            flows, each with a source port of its own (default 8): more find more branches
${sharedOptions}
  -r, --resolve            look up the names of routers
${remoteOptions}
  -o, --output FORMAT      table (default), json, ndjson: an object for each target; csv: a row for each router of a hop
      --no-live            print each path when it is complete, on a terminal too
  -h, --help               this text

Needs root, or CAP_NET_RAW; not with --from. Replies must carry back a keyed tag: forged ones are left out, and counted.
With --from each agent probes the hops in their order, at its own pace; what is not needed any more is called off, and
goes back to your quota. Sources go with the agents: -s, -i and --rate do not go with --from.

  vantage trace example.org
  vantage trace -p tcp --dst-port 443 192.0.2.1 2001:db8::1
  vantage trace --from west,east -p icmp example.org
  vantage trace -p icmp --flows 32 -q 1 -o ndjson example.org | jq .hops

${exitCodes}`;

export const pingHelp = `vantage ping: probes to targets themselves, and how long they take to answer

  vantage ping [options] TARGET...         targets are addresses or host names

  -p, --protocol P         icmp (default; ICMPv6 for IPv6 targets), udp (the answer is "port unreachable"), tcp (SYN)
  -c, --count N            probes to each target (default 5)
      --interval-ms N      between probes to one target (default 1000)
      --ttl N              hops that a probe may take (default 64)
${sharedOptions}
${remoteOptions}
      --summary            only what came of it, a row for each target
  -o, --output FORMAT      table (default), json, ndjson or csv: a row for each probe
  -h, --help               this text

Needs root, or CAP_NET_RAW; not with --from, where agents send at their own pace: -s, -i, --rate and --interval-ms do
not go with it.

  vantage ping example.org
  vantage ping -p tcp --dst-port 443 -c 20 --interval-ms 200 192.0.2.1
  vantage ping --summary -o csv 192.0.2.1 2001:db8::1

${exitCodes}`;
