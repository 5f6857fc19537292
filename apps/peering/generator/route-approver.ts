/** Approves routes at the coordination server: each device may carry the prefixes that its user has leased. */
import type { Logger } from "../../../lib/engines/observe/log.ts";
import { approvalsNeeded } from "../../../lib/peering/policy/route-approval.ts";
import type { Generator } from "./generator.ts";
import type { GeneratorMetrics } from "./metrics.ts";
import type { Approve } from "./sources/vpn.ts";

export class RouteApprover {
  readonly #generator: Generator;
  readonly #approve: Approve;
  readonly #log: Logger;
  readonly #metrics: GeneratorMetrics;

  constructor(generator: Generator, approve: Approve) {
    this.#generator = generator;
    this.#approve = approve;
    this.#log = generator.parts.log;
    this.#metrics = generator.parts.metrics;
  }

  /** Checks the current devices. One that cannot be changed does not block the others. */
  async run(): Promise<void> {
    const leases = this.#generator.leases();
    if (leases === null || !(await this.#generator.refresh("vpn"))) {
      return;
    }
    for (const { nodeId, routes } of approvalsNeeded(this.#generator.parts.knowledge.ownedNodes(), leases)) {
      await this.#change(nodeId, routes);
    }
  }

  async #change(nodeId: string, routes: readonly string[]): Promise<void> {
    try {
      await this.#approve(nodeId, routes);
      this.#metrics.approval(1);
      this.#log.info("Changed the approved routes of a device", { node: nodeId, routes });
    } catch (error) {
      this.#metrics.failure("approval");
      this.#log.error("Cannot change the approved routes of a device", { node: nodeId, routes, error });
    }
  }
}
