/** What probes look like: options of `vantage trace`, `ping` and `send`. */
import { dnsPort, dnsQuestions } from "../../../net/packet/dns-question.ts";
import { type ProbeShape, sizeBytesMax, sizeBytesMin } from "../../../net/packet/probe.ts";
import { shapeFrom } from "../../../net/packet/shape-given.ts";
import { dscpForm, dscpOf, ecnNames } from "../../../net/packet/traffic-class.ts";
import { wrongUsage } from "../command-error.ts";
import { choice, kindOf, number, unfit } from "../kinds.ts";
import type { Given } from "../table.ts";

const dscp = kindOf("DSCP", "any", (given) => {
  return dscpOf(given) ?? unfit(`is not a DSCP: ${dscpForm}`);
});

export const shapeOptions = {
  size: {
    kind: number(sizeBytesMin[6], sizeBytesMax, "BYTES"),
    defaultText: "as short as the hop limit allows",
    meaning: "IP length of each probe; UDP and ICMP",
  },
  df: {
    flag: true,
    default: false,
    meaning: "set IPv4's \"don't fragment\": a router that would have to answers with the size it takes",
  },
  dscp: {
    kind: dscp,
    defaultText: "0",
    meaning: "mark probes, as EF, AF41 or 46; hops that receive another mark are named",
  },
  ecn: {
    kind: choice(ecnNames),
    defaultText: "not-ect",
    meaning: "ECN bits of probes; hops that receive others are named",
  },
  flowLabel: {
    kind: number(1, 0xf_ffff, "LABEL"),
    defaultText: "one for each flow, from its ports",
    meaning: "IPv6 flow label of all flows",
  },
  dns: {
    kind: choice(dnsQuestions),
    notWith: ["size"],
    meaning: "ask name servers at UDP port 53 for the name of the site that answers, by TXT or NSID",
  },
} as const;

export type ShapeGiven = Pick<Given<typeof shapeOptions, readonly []>, keyof typeof shapeOptions>;

/** For a submission; absent where nothing is given. */
export function shapeQuery({
  size,
  df,
  dscp: mark,
  ecn,
  flowLabel,
  dns,
}: ShapeGiven): Readonly<Record<string, string>> {
  return {
    ...(size === null ? {} : { size: String(size) }),
    ...(df ? { df: "true" } : {}),
    ...(mark === null ? {} : { dscp: String(mark) }),
    ...(ecn === null ? {} : { ecn }),
    ...(flowLabel === null ? {} : { flow_label: String(flowLabel) }),
    ...(dns === null ? {} : { dns }),
  };
}

/** Protocol and port that a question needs. Throws CommandError where others are given. */
export function queryOf<Protocol extends string>(
  { dns }: Pick<ShapeGiven, "dns">,
  given: { readonly protocol: Protocol; readonly dstPort: number | null },
): { readonly protocol: Protocol | "udp"; readonly dstPort: number | null } {
  if (dns === null) {
    return given;
  }
  if (given.protocol === "tcp" || (given.dstPort ?? dnsPort) !== dnsPort) {
    throw wrongUsage(`--dns asks by UDP at port ${dnsPort} only: leave out the protocol and the port`);
  }
  return { protocol: "udp", dstPort: dnsPort };
}

/** Throws CommandError. */
export function shapeOf(given: ShapeGiven, protocol: string): ProbeShape {
  if (given.size !== null && protocol === "tcp") {
    throw wrongUsage("--size is for UDP and ICMP: a TCP SYN carries no data");
  }
  return shapeFrom(given);
}
