/**
 * The file of the policy, which BIRD's configuration includes: checked within a small test configuration.
 *
 * With `endsSec` the policy that BIRD has ends by itself unless it is renewed. BIRD 2.0.12 to 3.4 have a timer for
 * that, `configure timeout`, after which they go back to the configuration before: so the one before is made to be the
 * policy without users. `configure soft` loads that one without judging any route by it, and the real one follows at
 * once. Each `configure`, also one that BIRD refuses, stops the timer: while this process is alive, a broken bird.conf
 * ends nothing.
 */
import {
  BirdConfigurationFile,
  type BirdConfigurationFileOptions,
} from "../../../../lib/peering/bird/configuration-file.ts";
import { orderBird } from "../../../../lib/peering/bird/control.ts";
import { rejectAll } from "../../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../../lib/peering/policy/policy-text.ts";
import type { VersionedText } from "../../../../lib/peering/routing-daemon/daemon-file.ts";
import { renewalsOfPolicy } from "../limits.ts";

interface PolicyFileOptions
  extends Pick<BirdConfigurationFileOptions, "path" | "controlSocket" | "checkCommand" | "writer"> {
  /** Seconds for which BIRD has the policy; 0 = until it gets another one. */
  readonly endsSec?: number;
}

export class PolicyFile extends BirdConfigurationFile {
  readonly #controlSocket: string;
  readonly #endsSec: number;
  #configuredAtMs = Number.NEGATIVE_INFINITY;
  /** The last one applied: for a moment the file may have another process's policy without users. */
  #text: string | null = null;

  constructor({ endsSec = 0, ...options }: PolicyFileOptions) {
    super({ ...options, versionName: "peering_policy_version", around: aroundPolicy });
    this.#controlSocket = options.controlSocket;
    this.#endsSec = endsSec;
  }

  override async put(wanted: VersionedText): Promise<boolean> {
    const hasChanged = await super.put(wanted);
    this.#text = wanted.text;
    return hasChanged;
  }

  /** Renews the policy that was put last, where that is due. Throws as `put`. */
  async keepAlive(): Promise<void> {
    const dueMs = this.#configuredAtMs + (1000 * this.#endsSec) / renewalsOfPolicy;
    if (this.#text !== null && this.#endsSec > 0 && performance.now() >= dueMs) {
      await this.configure(this.#text);
    }
  }

  protected override async configure(text: string): Promise<void> {
    if (this.#endsSec === 0) {
      return super.configure(text);
    }
    await this.replace(policyText(rejectAll).text);
    try {
      await orderBird(this.#controlSocket, "configure soft");
    } finally {
      await this.replace(text);
    }
    await orderBird(this.#controlSocket, `configure timeout ${this.#endsSec}`);
    this.#configuredAtMs = performance.now();
  }
}

function aroundPolicy(path: string): string {
  return [
    "router id 192.0.2.1;",
    "protocol device {}",
    `include "${path}";`,
    "filter one_user { if (bgp_next_hop != tunnel_ipv6(from)) then reject; enforce_user_policy(from); }",
    "",
  ].join("\n");
}
