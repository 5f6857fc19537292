/** In the role of route approver: the coordination server lets each device carry what its user has leased. */
import type { Logger } from "../../lib/observe/log.ts";
import { approvalsNeeded } from "../../lib/policy/route-approval.ts";
import type { Generator } from "./generator.ts";
import type { GeneratorMetrics } from "./metrics.ts";
import type { Vpn } from "./sources/vpn.ts";

export class RouteApprover {
  readonly #generator: Generator;
  readonly #approve: NonNullable<Vpn["approve"]>;
  readonly #log: Logger;
  readonly #metrics: GeneratorMetrics;

  constructor(generator: Generator, approve: NonNullable<Vpn["approve"]>) {
    this.#generator = generator;
    this.#approve = approve;
    this.#log = generator.parts.log;
    this.#metrics = generator.parts.metrics;
  }

  /** Looks at the devices as they are now. One that cannot be changed holds up no other. */
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
      this.#log.info("Changed what a device may carry", { node: nodeId, routes });
    } catch (error) {
      this.#metrics.failure("approval");
      this.#log.error("Cannot change what a device may carry", { node: nodeId, routes, error });
    }
  }
}
