/** A user's routing daemon, BIRD or FRR: the program, its configuration, its sessions. */
import type { BootstrapConfig } from "../bootstrap/config.ts";
import { BirdDaemon } from "../bootstrap/daemon/bird-daemon.ts";
import { FrrDaemon } from "../bootstrap/daemon/frr-daemon.ts";
import type { OwnSession, RoutingDaemon } from "../bootstrap/daemon/routing-daemon.ts";
import { durationText } from "../bootstrap/status/words.ts";
import { birdProgram, birdReads, birdRuns } from "./bird/daemon.ts";
import type { Look } from "./examine.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { frrProgram, frrReads } from "./frr/daemon.ts";
import { sessionAdvice } from "./session-advice.ts";

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
    return ok(what, `up for ${durationText(forSec ?? 0)}, ${acceptedRoutes} routes accepted`);
  }
  const { why, next } = sessionAdvice(session);
  return fail(what, why, next);
}
