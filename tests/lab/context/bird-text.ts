/** BIRD's configuration of a speaker of the context lab. */
import { preferences, type Session, type Speaker } from "./sessions.ts";

export function birdText(speaker: Speaker): string {
  const own = speaker.announces.map((prefix) => `  route ${prefix} unreachable;`);
  return `log stderr { info, warning, error, fatal, bug, auth, remote };
router id ${speaker.routerId};
protocol device { }
${speaker.kind === "router" ? kernel : ""}
protocol static own {
  ipv4;
${own.join("\n")}
}
${speaker.sessions.map((session) => sessionText(speaker, session)).join("\n")}`;
}

/** Static routes inside the network are the kernel's. */
const kernel = "protocol kernel { learn; ipv4 { import all; export where source = RTS_BGP; }; }";

function sessionText({ asn, kind }: Speaker, session: Session): string {
  const { name, role, local, remote, remoteAsn } = session;
  const isInside = role === "inside";
  const heard =
    isInside || kind !== "router"
      ? "import all"
      : `import filter { bgp_local_pref = ${session.preference}; accept; }`;
  const how = isInside ? "next hop self;" : kind === "server" ? "next hop keep;" : "";
  return `protocol bgp to_${name} {
  local ${local} as ${asn};
  neighbor ${remote} as ${remoteAsn};
  ${kind === "server" ? "rs client;" : ""}
  connect delay time 1; connect retry time 1; error wait time 1, 2;
  ipv4 {
    ${role === "collector" ? "import none" : heard};
    ${exported(asn, kind, session)}
    ${how}
  };
}
`;
}

function exported(asn: number, kind: Speaker["kind"], { role, prepends, withholds }: Session): string {
  if (kind === "collector") {
    return "export none;";
  }
  if (kind === "server" || role === "inside") {
    return "export where source = RTS_BGP;";
  }
  const kept = withholds.map((prefix) => `if net = ${prefix} then reject;`);
  const longer = Object.entries(prepends).map(
    ([prefix, count]) => `if net = ${prefix} then { ${`bgp_path.prepend(${asn}); `.repeat(count)}}`,
  );
  const others =
    role === "customer" || role === "collector"
      ? "source = RTS_BGP"
      : `source = RTS_BGP && bgp_local_pref >= ${preferences.customer}`;
  return `export filter {
      if proto = "own" then { ${[...kept, ...longer].join(" ")} accept; }
      if ${others} then accept;
      reject;
    };`;
}
