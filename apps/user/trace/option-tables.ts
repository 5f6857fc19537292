/** The options of `vantage trace` and `vantage ping`. */
import type { Format } from "../../../lib/base/terminal/rows-output.ts";
import { contextOptions } from "../../../lib/command/command/context-options.ts";
import { addressOptions, loginOptions } from "../../../lib/command/command/gateway/common-options.ts";
import { labelOptions } from "../../../lib/command/command/gateway/label-options.ts";
import { shapeOptions } from "../../../lib/command/command/gateway/shape-options.ts";
import { address, choice, file, milliseconds, number, text } from "../../../lib/command/command/kinds.ts";
import { pingWriters, traceForms } from "../../../lib/measuring/formats/forms.ts";
import {
  countMax,
  cyclesMax,
  flowsMax,
  intervalMsMax,
  queriesMax,
  rateMax,
  ttlMax,
  waitMsMax,
} from "./limits.ts";

/** The user's choices; ICMP stands for ICMPv6 when the target is IPv6. */
const protocolChoices = ["udp", "icmp", "tcp"] as const;
export type ProtocolChoice = (typeof protocolChoices)[number];

const port = number(0, 65535, "PORT");
const ttl = number(1, ttlMax);

const shared = {
  ipv4: { flag: true, default: false, short: "4", notWith: ["ipv6"], meaning: "only IPv4" },
  ipv6: {
    flag: true,
    default: false,
    short: "6",
    meaning: "only IPv6; without both, whatever the name resolves to, IPv6 first",
  },
  source: {
    kind: address,
    short: "s",
    notWith: ["from"],
    meaning: "send from this address of the host",
  },
  spoof: {
    flag: true,
    default: false,
    needs: "source",
    meaning: "use a source address this host does not own; replies arrive only if its prefix is routed here",
  },
  interface: {
    kind: text,
    placeholder: "NAME",
    short: "i",
    notWith: ["from"],
    defaultText: "the route's",
    meaning: "send through this interface",
  },
  srcPort: {
    kind: port,
    defaultText: "24000; random for TCP and with --from",
    meaning: "source port, or ICMP identifier, of the first flow",
  },
  dstPort: { kind: port, defaultText: "33434 for UDP, 80 for TCP", meaning: "destination port" },
  ...shapeOptions,
  rate: {
    kind: number(1, rateMax),
    default: 1000,
    notWith: ["from"],
    meaning: "probes a second, of all targets together",
  },
  waitMs: {
    kind: milliseconds(1, waitMsMax),
    short: "w",
    default: 2000,
    meaning: "how long an answer may take, or 2s",
  },
  pcap: {
    kind: file,
    meaning:
      "keep the packets sent and their answers in this file, for tcpdump or Wireshark; with --from it takes an " +
      "operator's grant, and each of several agents or interfaces has a file, its name before the extension",
  },
  from: {
    kind: text,
    placeholder: "AGENT",
    multiple: true,
    meaning: "agents that probe instead: west,east:[2001:db8::1], or chosen ones: tag:eu, as:64500, 3@any",
  },
  gateway: { ...addressOptions.probing.gateway, needs: "from", meaning: "the gateway of --from" },
  profile: { ...loginOptions.profile, needs: "from", meaning: "login for --from" },
  tokenStdin: {
    ...loginOptions.tokenStdin,
    needs: "from",
    meaning: "for --from: take the token from standard input; VANTAGE_TOKEN does the same",
  },
  name: { ...labelOptions.name, needs: "from" },
  tag: { ...labelOptions.tag, needs: "from" },
  note: { ...labelOptions.note, needs: "from" },
  ...contextOptions,
} as const;

const ownForms = ["table", "json", "ndjson", "csv"] as const satisfies readonly Format[];

export const traceOptions = {
  protocol: {
    kind: choice(protocolChoices),
    short: "p",
    default: "udp",
    meaning: "udp, icmp (ICMPv6 for IPv6 targets) or tcp (SYN)",
  },
  file: {
    kind: file,
    short: "f",
    multiple: true,
    meaning: "more targets, one per line; - is standard input",
  },
  watch: {
    flag: true,
    default: false,
    notWith: ["from"],
    meaning: "trace one target again and again, on the whole screen (h: keys)",
  },
  report: {
    flag: true,
    default: false,
    notWith: ["from"],
    meaning: "trace again and again, and print the figures of each hop at the end",
  },
  cycles: {
    kind: number(1, cyclesMax),
    defaultText: "10 with --report alone, else until q",
    meaning: "traces of --watch and --report",
  },
  firstTtl: { kind: ttl, default: 1, meaning: "first hop to probe" },
  maxTtl: { kind: ttl, short: "m", default: 32, meaning: "last hop to probe" },
  queries: { kind: number(1, queriesMax), short: "q", default: 3, meaning: "probes for each hop and flow" },
  flows: {
    kind: number(1, flowsMax),
    default: 8,
    meaning: "flows, each with a source port of its own: more find more branches",
  },
  mtu: {
    flag: true,
    default: false,
    notWith: ["watch", "report"],
    meaning:
      "find how large packets may be to reach each hop of the first flow (UDP and ICMP), from --size down; " +
      "by default, from what the interface takes, and with --from from 1500",
  },
  resolve: { flag: true, default: false, short: "r", meaning: "look up the names of routers: --with name" },
  svg: {
    kind: file,
    notWith: ["watch", "report"],
    meaning: "draw all paths as one picture into this file, too; - is standard output, in place of text",
  },
  live: { flag: true, default: true, meaning: "print each path when it is complete, on a terminal too" },
  ...shared,
  output: {
    kind: choice([...ownForms, ...traceForms], "FORMAT"),
    short: "o",
    default: "table",
    meaning: `form of the output; ${traceForms.join(", ")}: as others' programs read traces, one for each flow`,
  },
} as const;

const pingForms = traceForms.filter((form) => Object.hasOwn(pingWriters, form));

export const pingOptions = {
  protocol: {
    kind: choice(protocolChoices),
    short: "p",
    default: "icmp",
    meaning: 'icmp (ICMPv6 for IPv6 targets), udp (the answer is "port unreachable") or tcp (SYN)',
  },
  count: { kind: number(1, countMax), short: "c", default: 5, meaning: "probes to each target" },
  intervalMs: {
    kind: milliseconds(1, intervalMsMax),
    default: 1000,
    meaning: "between probes to one target, or 2s",
  },
  ttl: { kind: ttl, default: 64, meaning: "hop limit (TTL) of the probes" },
  summary: { flag: true, default: false, meaning: "only a summary, a row for each target" },
  ...shared,
  output: {
    kind: choice([...ownForms, ...pingForms], "FORMAT"),
    short: "o",
    default: "table",
    meaning: `form of the output; ${pingForms.join(", ")}: as others' programs read pings`,
  },
} as const;
