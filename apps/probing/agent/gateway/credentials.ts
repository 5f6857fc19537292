/**
 * The agent's credentials at the gateway: its own key, and a secret that proves it is the registered host.
 *
 * Either both are configured, or an enrolment key is, with which the agent registers itself once. Then the secret is
 * generated first, and the key in the response is stored: both in the state folder, readable by its owner only.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { makeKey } from "../../../../lib/engines/auth/secret-key.ts";
import type { AgentGatewayConfig } from "../config/config.ts";
import { writeWhole } from "../state-folder.ts";

const keptSchema = v.object({ agent_secret: v.string(), agent_key: v.nullable(v.string()) });
type Kept = v.InferOutput<typeof keptSchema>;

function pathIn(stateDir: string): string {
  return join(stateDir, "gateway-credentials.json");
}

/** Null before the agent has enrolled. Writes nothing; throws Error as the constructor of Credentials. */
export function knownAgentKey(gateway: AgentGatewayConfig, stateDir: string): string | null {
  return gateway.agentKey ?? readKept(pathIn(stateDir))?.agent_key ?? null;
}

export class Credentials {
  readonly secret: string;
  readonly #path: string;
  readonly #enrolmentKey: string | null;
  #agentKey: string | null;

  /** Throws Error, with the next step, when the stored credentials cannot be read. */
  constructor({ agentKey, agentSecret, enrolmentKey }: AgentGatewayConfig, stateDir: string) {
    this.#path = pathIn(stateDir);
    this.#enrolmentKey = enrolmentKey;
    if (agentKey !== null && agentSecret !== null) {
      this.secret = agentSecret;
      this.#agentKey = agentKey;
      return;
    }
    const kept = readKept(this.#path) ?? { agent_secret: makeKey(), agent_key: null };
    // Stored before it is sent: a lost secret can never be sent again.
    this.#write(kept);
    this.secret = kept.agent_secret;
    this.#agentKey = kept.agent_key;
  }

  /** For requests; null as long as the agent has not enrolled. */
  get agentKey(): string | null {
    return this.#agentKey;
  }

  /** For registering: the agent's own key, or the enrolment key. */
  get registrationKey(): string {
    return this.#agentKey ?? this.#enrolmentKey ?? "";
  }

  /** Stores the key from enrolment. Throws when it cannot be written. */
  keep(agentKey: string): void {
    this.#write({ agent_secret: this.secret, agent_key: agentKey });
    this.#agentKey = agentKey;
  }

  #write(kept: Kept): void {
    writeWhole(this.#path, JSON.stringify(kept), 0o600);
  }
}

function readKept(path: string): Kept | null {
  if (!existsSync(path)) {
    return null;
  }
  try {
    return v.parse(keptSchema, JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new Error(
      `Cannot read ${path}: it holds no credentials; remove it, and have the agent removed at the gateway`,
    );
  }
}
