/** The gateway's metrics, on their own registry. Names are stable. */
import { Counter, Registry } from "prom-client";
import { type HttpMetrics, httpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import { Sight } from "../../../lib/engines/observe/sight.ts";

export interface GatewayMetrics {
  readonly registry: Registry;
  readonly http: HttpMetrics;
  readonly sight: Sight;
  asnAssigned(): void;
  leaseGranted(): void;
  leaseClosed(as: "released" | "revoked"): void;
  /** Result of asking the identity provider for an address. */
  emailAsked(result: string): void;
  /** Result of a request to Krill: `ok`, or the code of its failure. */
  krillAsked(request: "authorized" | "read" | "change", result: string): void;
  roasChanged(change: "added" | "removed", count: number): void;
  aspasChanged(change: "set" | "removed", count: number): void;
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
    ...krillMetrics(registers),
    registry,
    http: httpMetrics(registry),
    sight: new Sight(registry),
    asnAssigned: () => asns.inc(),
    leaseGranted: () => granted.inc(),
    leaseClosed: (as) => closed.inc({ as }),
    emailAsked: (result) => emails.inc({ result }),
  };
}

function krillMetrics(
  registers: Registry[],
): Pick<GatewayMetrics, "krillAsked" | "roasChanged" | "aspasChanged"> {
  const asked = new Counter({
    name: "vantage_gateway_krill_requests_total",
    help: "Requests to Krill, by what was asked, and result",
    labelNames: ["request", "result"],
    registers,
  });
  const changed = new Counter({
    name: "vantage_gateway_roas_changed_total",
    help: "ROAs that were added and removed at Krill",
    labelNames: ["change"],
    registers,
  });
  const aspas = new Counter({
    name: "vantage_gateway_aspas_changed_total",
    help: "ASPA objects that were set and removed at Krill",
    labelNames: ["change"],
    registers,
  });
  return {
    krillAsked: (request, result) => asked.inc({ request, result }),
    roasChanged: (change, count) => changed.inc({ change }, count),
    aspasChanged: (change, count) => aspas.inc({ change }, count),
  };
}

/** `publication` is a `Publication`. */
export function addRoaGauge(sight: Sight, publication: { completeMs(): Promise<number> }): void {
  sight.add({
    part: "roas",
    name: "vantage_gateway_roas_complete_timestamp_seconds",
    help: "When Krill last had exactly the ROAs and ASPA objects that are asked for; 0 = never",
    read: async () => [{ value: (await publication.completeMs()) / 1000 }],
  });
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
