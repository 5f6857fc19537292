/** People at the platform's Keycloak, on machines of their own: what they do in a browser. */
import { join } from "node:path";
import { projectRoot } from "../deploy/compose-file.ts";
import { run } from "../lab/namespaces.ts";
import type { Machine } from "./machine.ts";

const program = [process.execPath, join(projectRoot, "tests/operator-day/keycloak-person.ts")];

export class KeycloakPeople {
  readonly #platform: Machine;

  constructor(platform: Machine) {
    this.#platform = platform;
  }

  /** anna, with the role of operators. */
  async makeOperator(): Promise<void> {
    const password = await this.#platform.run(["cat", "/etc/vantage/secrets/keycloak_admin_password"]);
    await this.#act("make", password.trim());
  }

  /** anna confirms a login. */
  async confirm(url: string): Promise<void> {
    await this.#act("confirm", url);
  }

  async #act(...words: readonly string[]): Promise<void> {
    const authority = this.#platform.path("etc/vantage/authority/authority.pem");
    await run(["env", `NODE_EXTRA_CA_CERTS=${authority}`, ...program, ...words]);
  }
}
