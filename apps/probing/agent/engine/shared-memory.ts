/** Allocates memory that threads share: plain, or memory that outlives the process (apps/probing/agent/keep). */

/** At least this many bytes, zero except for the data of an earlier process under the same name. */
export type MemoryMaker = (name: string, bytes: number) => SharedArrayBuffer;

export const plainMemory: MemoryMaker = (_, bytes) => new SharedArrayBuffer(bytes);

/** Names of the memory that a later process opens. */
export const keptNames = {
  probes: (instanceId: number) => `probes-${instanceId}`,
  ticks: (instanceId: number) => `ticks-${instanceId}`,
  replies: (interfaceName: string) => `replies-${interfaceName}`,
  ledger: (interfaceName: string) => `batches-${interfaceName}`,
  /** Not needed to continue: they only show how much a killed agent had captured. */
  captureCounters: (interfaceName: string) => `counters-${interfaceName}`,
  measurements: "measurements",
  board: "board",
} as const;
