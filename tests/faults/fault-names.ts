/** The faults by name: an engine that is away for a while, and a Vantage process that is killed. */

const outageNames = [
  "kafka-killed",
  "kafka-stopped",
  "postgres-killed",
  "postgres-stopped",
  "store-stopped",
  "ingester-stopped",
  "disk-full",
] as const;

export const killNames = [
  "store-killed",
  "ingester-killed",
  "probing-gateway-killed",
  "peering-gateway-killed",
  "policy-generator-killed",
  "agent-killed",
  "client-killed",
] as const;

export type FaultName = (typeof outageNames)[number] | (typeof killNames)[number];

export const faultNames: readonly FaultName[] = [...outageNames, ...killNames];

export function isFaultName(name: string): name is FaultName {
  return (faultNames as readonly string[]).includes(name);
}
