/** Messages between the main thread and the gateway client's thread. */
import type { AgentInstance } from "../../../../lib/measuring/probing/agent-config.ts";
import type { HealthReport } from "../../../../lib/measuring/probing/agent-report.ts";
import type { AgentGatewayConfig } from "../config/config.ts";
import type { ProgressReport } from "../consume/measurement-progress.ts";
import type { GatewayOrders } from "./orders.ts";

export interface GatewayStart {
  readonly agentId: string;
  readonly gateway: AgentGatewayConfig;
  readonly stateDir: string;
  /** See send-inhibit.ts: a kill or a pause acts without waiting for the main thread. */
  readonly sendInhibit: SharedArrayBuffer;
  /** See crowd-board.ts: the gateway's number of agents at each destination. */
  readonly crowd: SharedArrayBuffer;
  readonly counters: SharedArrayBuffer;
  /** Int32: 0 = run, 1 = report a last time, and end. */
  readonly stop: SharedArrayBuffer;
}

/** Messages from the main thread. */
export type GatewayTask =
  /** The agent's health and active instances. */
  | {
      readonly kind: "state";
      readonly health: HealthReport;
      readonly instances: readonly AgentInstance[];
    }
  | { readonly kind: "progress"; readonly reports: readonly ProgressReport[] };

/** Messages to the main thread. */
export type GatewayUpdate =
  | { readonly kind: "orders"; readonly orders: GatewayOrders }
  /** The list in the state folder has changed. */
  | { readonly kind: "blocklist" };
