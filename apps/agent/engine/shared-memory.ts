/** Who makes the memory that threads share: plain, or such that outlives the process (apps/agent/keep). */

/** At least so many bytes, zero but for what an earlier process left under the same name. */
export type MemoryMaker = (name: string, bytes: number) => SharedArrayBuffer;

export const plainMemory: MemoryMaker = (_, bytes) => new SharedArrayBuffer(bytes);

/** Names of the memory that has to be found again. */
export const keptNames = {
  probes: (instanceId: number) => `probes-${instanceId}`,
  ticks: (instanceId: number) => `ticks-${instanceId}`,
  replies: (interfaceName: string) => `replies-${interfaceName}`,
  ledger: (interfaceName: string) => `batches-${interfaceName}`,
  /** Nobody needs them to go on: they tell how much a killed agent had captured. */
  captureCounters: (interfaceName: string) => `counters-${interfaceName}`,
  measurements: "measurements",
  board: "board",
} as const;
