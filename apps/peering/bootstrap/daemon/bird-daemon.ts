/** BIRD 2 as the user's daemon: its file, `configure`, and its control socket. */
import { BirdConfigurationFile } from "../../../../lib/peering/bird/configuration-file.ts";
import { askBird } from "../../../../lib/peering/bird/control.ts";
import { elapsedSec } from "../../../../lib/peering/bird/elapsed.ts";
import { readSessions } from "../../../../lib/peering/bird/sessions.ts";
import type { BootstrapConfig } from "../config.ts";
import { birdConf, versionName } from "./bird-conf.ts";
import type { OwnSession, RoutingDaemon } from "./routing-daemon.ts";
import type { SessionPlan } from "./session-plan.ts";

export class BirdDaemon implements RoutingDaemon {
  readonly #config: BootstrapConfig["daemon"];
  readonly #file: BirdConfigurationFile;

  constructor(config: BootstrapConfig["daemon"]) {
    const { configFile: path, controlSocket, checkCommand } = config;
    this.#config = config;
    this.#file = new BirdConfigurationFile({ path, controlSocket, checkCommand, versionName });
  }

  async isConfigured(): Promise<boolean> {
    return (await this.#file.text()) !== "";
  }

  put(plan: SessionPlan): Promise<boolean> {
    return this.#file.put(birdConf(plan, this.#config));
  }

  sessions(): Promise<Map<string, OwnSession>> {
    return birdSessions(this.#config.controlSocket);
  }
}

/**
 * Sessions to exchange servers by the neighbour's address; of several sessions to one, the one that is up. Throws
 * Failure `daemon`.
 */
async function birdSessions(controlSocket: string): Promise<Map<string, OwnSession>> {
  const clockLines = await askBird(controlSocket, "show status");
  const clock = clockLines.find(({ text }) => text.includes("Current server time"));
  const now = clock?.text.replace(/^.*time is /, "").trim() ?? "";
  const sessions = readSessions(await askBird(controlSocket, "show protocols all"));
  const upLast = sessions.toSorted((a, b) => Number(a.isUp) - Number(b.isUp));
  return new Map(
    upLast.map((session) => [
      session.neighborAddress,
      {
        isUp: session.isUp,
        state: session.state,
        forSec: elapsedSec(session.since, now),
        lastError: session.lastError,
        receivedRoutes: session.importedRoutes + session.filteredRoutes,
        acceptedRoutes: session.importedRoutes,
      },
    ]),
  );
}
