/** FRR 8 as the user's daemon (zebra, staticd and bgpd): its file, `frr-reload.py`, and `vtysh`. */
import { Failure } from "../../../../lib/base/failure/failure.ts";
import { FrrConfigurationFile } from "../../../../lib/peering/frr/configuration-file.ts";
import { readFrrSessions } from "../../../../lib/peering/frr/sessions.ts";
import { askFrrJson, type FrrAccess } from "../../../../lib/peering/frr/vtysh.ts";
import type { BootstrapConfig } from "../config.ts";
import { frrConf, versionName } from "./frr-conf.ts";
import type { OwnSession, RoutingDaemon } from "./routing-daemon.ts";
import type { SessionPlan } from "./session-plan.ts";
import { readSnippets } from "./snippets.ts";

export class FrrDaemon implements RoutingDaemon {
  readonly #config: BootstrapConfig["daemon"];
  readonly #place: FrrAccess;
  readonly #file: FrrConfigurationFile;

  constructor(config: BootstrapConfig["daemon"]) {
    const { configFile: path, controlSocket: socketFolder, checkCommand: vtysh, reloadCommand } = config;
    this.#config = config;
    this.#place = { vtysh, socketFolder };
    this.#file = new FrrConfigurationFile({ path, ...this.#place, reloadCommand, versionName });
  }

  async isConfigured(): Promise<boolean> {
    return (await this.#file.text()) !== "";
  }

  /** FRR has no include, so the user's snippets are part of its one file. */
  async put(plan: SessionPlan): Promise<boolean> {
    const snippets = await readSnippets(this.#config.snippetsFolder);
    return this.#file.put(frrConf(plan, { log: this.#config.log, snippets }));
  }

  async sessions(): Promise<Map<string, OwnSession>> {
    const found = readFrrSessions(await askFrrJson(this.#place, "show bgp neighbors"));
    if (found === null) {
      throw new Failure("daemon", "refused", "FRR lists its sessions in an unknown form: use FRR 8.4");
    }
    return new Map(
      found.map(({ address, forMs, acceptedRoutes, ...session }) => [
        address,
        {
          ...session,
          forSec: forMs === null ? null : forMs / 1000,
          receivedRoutes: acceptedRoutes,
          acceptedRoutes,
        },
      ]),
    );
  }
}
