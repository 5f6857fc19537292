/** bgpd's configuration of a speaker of the context lab. */
import { preferences, type Session, type Speaker } from "./sessions.ts";

export function bgpdText({ name, asn, kind, routerId, announces, sessions }: Speaker): string {
  const isRouter = kind === "router";
  return `hostname ${name}
log stdout
router bgp ${asn}
 bgp router-id ${routerId}
 no bgp ebgp-requires-policy
 no bgp network import-check
 bgp bestpath compare-routerid
${sessions.map(neighborLines).join("\n")}
 address-family ipv4 unicast
${announces.map((prefix) => `  network ${prefix} route-map own`).join("\n")}
${sessions.map((session) => familyLines(session, kind)).join("\n")}
 exit-address-family
!
route-map own permit 10
 set local-preference ${preferences.own}
route-map nothing deny 10
route-map everything permit 10
${
  isRouter
    ? sessions
        .filter(({ role }) => role !== "inside")
        .map((session) => maps(asn, session))
        .join("")
    : ""
}`;
}

function neighborLines({ remote, remoteAsn, local, role }: Session): string {
  const lines = [`remote-as ${remoteAsn}`, "timers connect 1", "advertisement-interval 0"];
  return [...lines, ...(role === "inside" ? [`update-source ${local}`] : [])]
    .map((line) => ` neighbor ${remote} ${line}`)
    .join("\n");
}

function familyLines({ name, remote, role }: Session, kind: Speaker["kind"]): string {
  const collector = ["route-map everything in", "route-map nothing out"];
  const lines =
    kind === "server"
      ? ["route-server-client"]
      : kind === "collector"
        ? collector
        : role === "inside"
          ? ["next-hop-self"]
          : [`route-map from-${name} in`, `route-map to-${name} out`];
  return lines.map((line) => `  neighbor ${remote} ${line}`).join("\n");
}

/** What comes from a neighbour and goes there. */
function maps(asn: number, { name, role, preference, prepends, withholds }: Session): string {
  const heard = role === "collector" ? ["deny 10"] : ["permit 10", `set local-preference ${preference}`];
  const kept = withholds.map((prefix, i) => ofPrefix(name, prefix, [`deny ${10 + i}`]));
  const longer = Object.entries(prepends).map(([prefix, count], i) =>
    ofPrefix(name, prefix, [
      `permit ${20 + i}`,
      `match local-preference ${preferences.own}`,
      `set as-path prepend ${Array(count).fill(asn).join(" ")}`,
    ]),
  );
  const goesOn = [preferences.own, preferences.customer].map((value, i) =>
    routeMap(`to-${name}`, [`permit ${40 + i}`, `match local-preference ${value}`]),
  );
  const isAll = role === "customer" || role === "collector";
  const passed = isAll ? [routeMap(`to-${name}`, ["permit 40"])] : goesOn;
  return [routeMap(`from-${name}`, heard), ...kept, ...longer, ...passed].join("");
}

/** A rule for one prefix that goes to a neighbour. */
function ofPrefix(name: string, prefix: string, [verdict = "", ...lines]: readonly string[]): string {
  const list = `to-${name}-${verdict.split(" ").join("-")}`;
  const rule = routeMap(`to-${name}`, [verdict, `match ip address prefix-list ${list}`, ...lines]);
  return `ip prefix-list ${list} permit ${prefix}\n${rule}`;
}

function routeMap(name: string, [verdict = "", ...lines]: readonly string[]): string {
  return [`route-map ${name} ${verdict}`, ...lines.map((line) => ` ${line}`), ""].join("\n");
}
