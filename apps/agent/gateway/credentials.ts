/**
 * What the agent shows the gateway: its own key, and a secret that proves that it is the host that was registered.
 *
 * Both are configured; or an enrolment key is, with which the agent registers itself once. Then the secret is made
 * before, and the key that is answered is kept: both in the state folder, for its owner alone.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { makeKey } from "../../../lib/auth/secret-key.ts";
import type { GatewayConfig } from "../config/config.ts";
import { writeWhole } from "../state-folder.ts";

const keptSchema = v.object({ agent_secret: v.string(), agent_key: v.nullable(v.string()) });
type Kept = v.InferOutput<typeof keptSchema>;

export class Credentials {
  readonly secret: string;
  readonly #path: string;
  readonly #enrolmentKey: string | null;
  #agentKey: string | null;

  /** Throws Error, with what to do, when what was kept cannot be read. */
  constructor({ agentKey, agentSecret, enrolmentKey }: GatewayConfig, stateDir: string) {
    this.#path = join(stateDir, "gateway-credentials.json");
    this.#enrolmentKey = enrolmentKey;
    if (agentKey !== null && agentSecret !== null) {
      this.secret = agentSecret;
      this.#agentKey = agentKey;
      return;
    }
    const kept = this.#read() ?? { agent_secret: makeKey(), agent_key: null };
    // Before it is shown: a secret that is lost can never be shown again.
    this.#write(kept);
    this.secret = kept.agent_secret;
    this.#agentKey = kept.agent_key;
  }

  /** For requests; null as long as the agent has not enrolled. */
  get agentKey(): string | null {
    return this.#agentKey;
  }

  /** For registering: the agent's own key, or that of first contact. */
  get registrationKey(): string {
    return this.#agentKey ?? this.#enrolmentKey ?? "";
  }

  /** The key that enrolment gave. Throws when the disk does not take it. */
  keep(agentKey: string): void {
    this.#write({ agent_secret: this.secret, agent_key: agentKey });
    this.#agentKey = agentKey;
  }

  #read(): Kept | null {
    if (!existsSync(this.#path)) {
      return null;
    }
    try {
      return v.parse(keptSchema, JSON.parse(readFileSync(this.#path, "utf8")));
    } catch {
      throw new Error(
        `Cannot read ${this.#path}: it holds no credentials; remove it, and have the agent removed at the gateway`,
      );
    }
  }

  #write(kept: Kept): void {
    writeWhole(this.#path, JSON.stringify(kept), 0o600);
  }
}
