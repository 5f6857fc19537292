/**
 * What a generated policy grants, read line by line: every line must be one that a policy may have, so text that
 * came in from outside is found wherever it lands.
 */

export interface Grant {
  readonly address: string;
  readonly asn: number;
  readonly prefix: string;
}

const v4 = "(100\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})";
const v6 = "[0-9a-f:]+";
const lines = {
  head: /^# Made by vantage policy-generator from leases and VPN nodes; changes made here are lost\.$/,
  version: /^define peering_policy_version = "[0-9a-f]{16}";$/,
  policy: /^function enforce_user_policy\(ip remote_ip\)$/,
  tunnelComment:
    /^# The IPv6 address of a user in the tunnel, which some routing daemons give as next hop\.$/,
  tunnel: /^function tunnel_ipv6\(ip remote_ip\)$/,
  brace: /^ *[{}]$/,
  empty: /^$/,
  user: /^ {2}# User: [ -~]{0,254}$/,
  unknown: /^ {2}# Unknown user$/,
  words: /^ {2}# (BIRD 2\.0\.12 copies each word .*|from then on: .*)$/,
  nothing: /^ {2}if \(false\) then (accept|return remote_ip);$/,
  nothingElse: /^ {2}if \(false && bgp_path\.last = 0 && net ~ \[ ::\/0 \]\) then reject;$/,
  reject: /^ +reject;$/,
  accept: /^ {4}accept;$/,
  block: new RegExp(`^ {2}if \\(remote_ip = ${v4}\\) then \\{$`),
  asn: /^ {4}if \(bgp_path\.last != (\d{1,10})\) then reject;$/,
  prefixes: new RegExp(
    `^ {4}if !\\(net ~ \\[ (${v6}/48(?:, ${v6}/48(?:\\{128,128\\})?)*) \\]\\) then reject;$`,
  ),
  case: /^ {2}case remote_ip \{$/,
  tunnelEntry: new RegExp(`^ {4}${v4}: return ${v6};$`),
  return: /^ {2}return remote_ip;$/,
  poisonComment: /^# Whether a user may put others' ASNs into a path\.$/,
  poison: /^function may_poison\(ip remote_ip\)$/,
  poisoner: /^ {2}if \(remote_ip ~ \[ 100\.[\d., ]+ \]\) then return true;$/,
  blackholeComment: /^# Whether a user may have packets to single addresses of a lease discarded\.$/,
  blackhole: /^function may_blackhole\(ip remote_ip\)$/,
  nobodyElse: /^ {2}return false;$/,
};

/** Throws on a line that a policy may not have. */
export function grantsOf(text: string): Grant[] {
  const grants: Grant[] = [];
  let [address, asn] = ["", 0];
  for (const line of text.trimEnd().split("\n")) {
    if (!Object.values(lines).some((pattern) => pattern.test(line))) {
      throw new Error(`Not a line of a policy: ${JSON.stringify(line)}`);
    }
    address = lines.block.exec(line)?.[1] ?? address;
    asn = Number(lines.asn.exec(line)?.[1] ?? asn);
    for (const prefix of lines.prefixes.exec(line)?.[1]?.split(", ") ?? []) {
      grants.push({ address, asn, prefix });
    }
  }
  return grants;
}
