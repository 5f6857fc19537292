/**
 * How much a platform needs, from what one part of it was measured to do: arithmetic only.
 *
 * A day's replies come in bursts: agents that send at full rate have the probes of a day sent after
 * `replies a day / (replies a probe x probes/s of all agents)` seconds. Meanwhile the broker keeps what the store has
 * not taken yet. Example: 1e9 replies, 0.75 a probe, 1e6 probes/s: 1,333 s a day; at 236,872 rows/s into the store,
 * 684 million rows wait at the burst's end, for 2,888 s more.
 */

/** What is asked for. */
export interface Demand {
  readonly agents: number;
  readonly rateProbesPerSec: number;
  readonly repliesPerDay: number;
  readonly keptDays: number;
  readonly replicas: number;
  readonly brokerDays: number;
}

/** What was measured of one part; bytes are those on disk, once. */
export interface Measured {
  readonly repliesPerProbe: number;
  readonly brokerRepliesPerSec: number;
  readonly storeRowsPerSec: number;
  readonly logReplyBytes: number;
  readonly logProbeBytes: number;
  readonly storeReplyBytes: number;
  readonly storeProbeBytes: number;
}

interface Plan {
  readonly probesPerDay: number;
  readonly peakProbesPerSec: number;
  readonly peakRepliesPerSec: number;
  readonly meanRepliesPerSec: number;
  readonly burstSec: number;
  /** Rows that wait in the broker when the burst ends, and how long the store then needs; 0 when it keeps up. */
  readonly waitingRows: number;
  readonly catchUpSec: number;
  /** Stores that would be needed so that nothing waits. */
  readonly storesToKeepUp: number;
  readonly brokers: number;
  readonly brokerBytes: number;
  readonly storeBytes: number;
  /** Bytes/s that one agent reads when no two agents share a measurement, and when all share each. */
  readonly agentReadBytesPerSec: { readonly apart: number; readonly shared: number };
}

export function planFor(demand: Demand, parts: Measured): Plan {
  const { agents, rateProbesPerSec, repliesPerDay, replicas, brokerDays, keptDays } = demand;
  const probesPerDay = repliesPerDay / parts.repliesPerProbe;
  const peakProbesPerSec = agents * rateProbesPerSec;
  const peakRepliesPerSec = peakProbesPerSec * parts.repliesPerProbe;
  const burstSec = probesPerDay / peakProbesPerSec;
  const waitingRows = Math.max(0, peakRepliesPerSec - parts.storeRowsPerSec) * burstSec;
  const loggedBytes = repliesPerDay * parts.logReplyBytes + probesPerDay * parts.logProbeBytes;
  const storedBytes = repliesPerDay * parts.storeReplyBytes + probesPerDay * parts.storeProbeBytes;
  return {
    probesPerDay,
    peakProbesPerSec,
    peakRepliesPerSec,
    meanRepliesPerSec: repliesPerDay / 86_400,
    burstSec,
    waitingRows,
    catchUpSec: waitingRows / parts.storeRowsPerSec,
    storesToKeepUp: Math.ceil(peakRepliesPerSec / parts.storeRowsPerSec),
    // A broker writes its own share and its copies of others'; fewer brokers than replicas are none.
    brokers: Math.max(replicas, Math.ceil((peakRepliesPerSec * replicas) / parts.brokerRepliesPerSec)),
    brokerBytes: loggedBytes * brokerDays * replicas,
    storeBytes: storedBytes * keptDays,
    agentReadBytesPerSec: {
      apart: peakProbesPerSec * parts.logProbeBytes,
      shared: rateProbesPerSec * parts.logProbeBytes,
    },
  };
}
