/** The gateway's metrics, on their own registry. Names are stable. */
import { Counter, Registry } from "prom-client";
import { type HttpMetrics, httpMetrics } from "../../lib/observe/http-metrics.ts";
import { Sight } from "../../lib/observe/sight.ts";

export interface GatewayMetrics {
  readonly registry: Registry;
  readonly http: HttpMetrics;
  readonly sight: Sight;
  asnAssigned(): void;
  leaseGranted(): void;
  leaseClosed(as: "released" | "revoked"): void;
  /** Result of asking the identity provider for an address. */
  emailAsked(result: string): void;
}

export function gatewayMetrics(): GatewayMetrics {
  const registry = new Registry();
  const registers = [registry];
  const asns = new Counter({
    name: "vantage_gateway_asns_assigned_total",
    help: "ASNs assigned by request; those that came with a lease are counted there",
    registers,
  });
  const granted = new Counter({
    name: "vantage_gateway_leases_granted_total",
    help: "Leases granted",
    registers,
  });
  const closed = new Counter({
    name: "vantage_gateway_leases_closed_total",
    help: "Leases ended early, by how",
    labelNames: ["as"],
    registers,
  });
  const emails = new Counter({
    name: "vantage_gateway_email_lookups_total",
    help: "E-mail addresses asked for at the identity provider, by result",
    labelNames: ["result"],
    registers,
  });
  return {
    registry,
    http: httpMetrics(registry),
    sight: new Sight(registry),
    asnAssigned: () => asns.inc(),
    leaseGranted: () => granted.inc(),
    leaseClosed: (as) => closed.inc({ as }),
    emailAsked: (result) => emails.inc({ result }),
  };
}

/** `leases` is a `ChangeFeed`. */
export function addLeaseGauge(sight: Sight, leases: { lastChangeMs(): Promise<number> }): void {
  sight.add({
    part: "leases",
    name: "vantage_gateway_leases_changed_timestamp_seconds",
    help: "When it last changed who may announce what; 0 = never",
    read: async () => [{ value: (await leases.lastChangeMs()) / 1000 }],
  });
}
