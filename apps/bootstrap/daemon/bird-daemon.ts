/** BIRD 2 as the user's daemon: its file, `configure`, and its control socket. */
import { BirdConfigurationFile } from "../../../lib/bird/configuration-file.ts";
import type { BootstrapConfig } from "../config.ts";
import { birdConf, versionName } from "./bird-conf.ts";
import { birdSessions } from "./bird-sessions.ts";
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
