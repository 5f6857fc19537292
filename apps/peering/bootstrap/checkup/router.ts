/** A user's routing daemon, BIRD or FRR: the program, its configuration, its sessions. */
import { birdProgram, birdReads, birdRuns } from "../../../../lib/command/checkup/bird/daemon.ts";
import type { Look } from "../../../../lib/command/checkup/examine.ts";
import { type Finding, fail, ok, warn } from "../../../../lib/command/checkup/finding.ts";
import { frrProgram, frrReads } from "../../../../lib/command/checkup/frr/daemon.ts";
import { sessionAdvice } from "../../../../lib/command/checkup/session-advice.ts";
import type { BootstrapConfig } from "../config.ts";
import { BirdDaemon } from "../daemon/bird-daemon.ts";
import { FrrDaemon } from "../daemon/frr-daemon.ts";
import type { OwnSession, RoutingDaemon } from "../daemon/routing-daemon.ts";
import { durationText } from "../status/words.ts";

export function routerLooks(daemon: BootstrapConfig["daemon"]): Look[] {
  const { kind, checkCommand, configFile, controlSocket } = daemon;
  if (kind === "frr") {
    const sessions = () => sessionFindings(new FrrDaemon(daemon));
    return [
      { what: "FRR", see: () => frrProgram() },
      { what: "FRR's configuration", see: () => frrReads(checkCommand, configFile) },
      { what: "sessions", see: sessions, otherwise: "systemctl start frr; is bgpd=yes in /etc/frr/daemons?" },
    ];
  }
  const sessions = () => sessionFindings(new BirdDaemon(daemon));
  return [
    { what: "BIRD", see: () => birdProgram(checkCommand) },
    { what: "BIRD's configuration", see: () => birdReads(checkCommand, configFile) },
    { what: "sessions", see: () => birdRuns(controlSocket, sessions) },
  ];
}

/** Addresses of exchange servers with an established session; none while the daemon does not answer. */
export async function connectedExchanges(daemon: BootstrapConfig["daemon"]): Promise<ReadonlySet<string>> {
  const router = daemon.kind === "frr" ? new FrrDaemon(daemon) : new BirdDaemon(daemon);
  try {
    return new Set([...(await router.sessions())].flatMap(([address, { isUp }]) => (isUp ? [address] : [])));
  } catch {
    return new Set();
  }
}

async function sessionFindings(daemon: RoutingDaemon): Promise<Finding[]> {
  const sessions = [...(await daemon.sessions())];
  return sessions.length === 0
    ? [warn("sessions", "there is none", "start vantage bootstrap run, which configures them")]
    : sessions.map(([address, session]) => sessionFinding(address, session));
}

function sessionFinding(address: string, session: OwnSession): Finding {
  const what = `session with ${address}`;
  const { isUp, forSec, acceptedRoutes } = session;
  if (isUp) {
    return ok(
      what,
      `up for ${durationText(forSec ?? 0)}, ${acceptedRoutes} ${acceptedRoutes === 1 ? "route" : "routes"} accepted`,
    );
  }
  const { why, next } = sessionAdvice(session);
  return fail(what, why, next);
}
