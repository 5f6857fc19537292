/** What else is known of the context lab: PeeringDB's tables of its exchanges, and who sells to whom. */
import { borders, lans, networks } from "./drawing.ts";
import { found, hostIn, networkOf } from "./plan.ts";

export function peeringdb(): string {
  const data = (rows: readonly unknown[]) => ({ data: rows });
  const members = lans.flatMap(({ id, prefix, server, members: listed }) => [
    { ixlan_id: id, ix_id: id, asn: server.asn, ipaddr4: hostIn(prefix, 1), ipaddr6: null },
    ...listed.flatMap(({ router, host, listed: at = host }) =>
      at === null
        ? []
        : [
            {
              ...{ ixlan_id: id, ix_id: id, asn: found(networkOf(router)).asn },
              ...{ ipaddr4: hostIn(prefix, at), ipaddr6: null },
            },
          ],
    ),
  ]);
  return JSON.stringify({
    ix: data(lans.map(({ id, name }) => ({ id, name, city: "Oslo", country: "NO" }))),
    ixlan: data(lans.map(({ id }) => ({ id, ix_id: id }))),
    ixpfx: data(lans.map(({ id, prefix }) => ({ ixlan_id: id, protocol: "IPv4", prefix }))),
    netixlan: data(members),
    net: data(networks.map(({ asn, name }) => ({ asn, name, info_type: "NSP" }))),
  });
}

/** CAIDA's serial-1; members of an exchange are peers of each other. */
export function relationships(): string {
  const asnOf = (router: string) => found(networkOf(router)).asn;
  const sold = borders.map(({ a, b, kind }) => `${asnOf(a)}|${asnOf(b)}|${kind === "sells" ? -1 : 0}`);
  const met = lans.flatMap(({ members }) =>
    members.flatMap(({ router }, i) =>
      members.slice(i + 1).map((other) => `${asnOf(router)}|${asnOf(other.router)}|0`),
    ),
  );
  return `# serial-1\n${[...new Set([...sold, ...met])].join("\n")}\n`;
}
