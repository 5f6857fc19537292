/**
 * What the agent has sent for whom, for its host: packets and bytes of each UTC day, and the latest measurements. Kept
 * in the state folder, written every 2 s while something changes: a crash forgets at most that.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type DayUse, dayMs } from "../../../../lib/measuring/probing/host-hold.ts";
import type { ProgressReport } from "../consume/measurement-progress.ts";
import { hostDaysKept, hostLedgerWriteMs, hostMeasurementsKept } from "../limits.ts";
import { writeWhole } from "../state-folder.ts";

const count = v.pipe(v.number(), v.minValue(0));

const daySchema = v.object({
  /** `2026-11-28`, UTC. */
  day: v.string(),
  packets: count,
  bytes: count,
});

const measurementSchema = v.object({
  measurementId: v.string(),
  /** The gateway's name for its user at this agent; null = it gave none. */
  user: v.nullable(v.string()),
  requestId: v.optional(v.nullable(v.string()), null),
  /** Requested source addresses; none = the agent chose. */
  sources: v.array(v.string()),
  firstAt: v.string(),
  lastAt: v.string(),
  sentProbes: count,
  receivedReplies: count,
  failedProbes: count,
  state: v.picklist(["running", "complete", "stopped"]),
  error: v.nullable(v.string()),
});

const ledgerSchema = v.object({ days: v.array(daySchema), measurements: v.array(measurementSchema) });
export type HostFigures = v.InferOutput<typeof ledgerSchema>;
export type HostMeasurement = v.InferOutput<typeof measurementSchema>;

function pathIn(stateDir: string): string {
  return join(stateDir, "host-ledger.json");
}

/** Oldest first. Empty when the file is missing or unreadable. */
export function readHostFigures(stateDir: string): HostFigures {
  try {
    return v.parse(ledgerSchema, JSON.parse(readFileSync(pathIn(stateDir), "utf8")));
  } catch {
    return { days: [], measurements: [] };
  }
}

export class HostLedger {
  readonly #stateDir: string;
  readonly #days: Map<string, DayUse>;
  /** Least recently changed first. */
  readonly #measurements: Map<string, HostMeasurement>;
  #hasChanged = false;
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  constructor(stateDir: string) {
    const { days, measurements } = readHostFigures(stateDir);
    this.#stateDir = stateDir;
    this.#days = new Map(days.map(({ day, ...use }) => [day, use]));
    this.#measurements = new Map(measurements.map((one) => [one.measurementId, one]));
  }

  used(nowMs: number): DayUse {
    return this.#days.get(dayOf(nowMs)) ?? { packets: 0, bytes: 0 };
  }

  add({ packets, bytes }: DayUse, nowMs: number): void {
    if (packets + bytes === 0) {
      return;
    }
    const before = this.used(nowMs);
    this.#days.set(dayOf(nowMs), { packets: before.packets + packets, bytes: before.bytes + bytes });
    for (const day of [...this.#days.keys()].slice(0, -hostDaysKept)) {
      this.#days.delete(day);
    }
    this.#hasChanged = true;
  }

  hear(reports: readonly ProgressReport[], nowMs: number): void {
    const lastAt = new Date(nowMs).toISOString();
    for (const report of reports) {
      const { measurementId, sentProbes, receivedReplies, failedProbes, error, user, requestId, sources } =
        report;
      const firstAt = this.#measurements.get(measurementId)?.firstAt ?? lastAt;
      const state = report.isComplete ? "complete" : report.isStopped ? "stopped" : "running";
      const figures = { sentProbes, receivedReplies, failedProbes, state, error } as const;
      this.#measurements.delete(measurementId);
      this.#measurements.set(measurementId, {
        ...{ measurementId, user, requestId, sources: [...sources], firstAt, lastAt, ...figures },
      });
      this.#hasChanged = true;
    }
    for (const id of [...this.#measurements.keys()].slice(0, -hostMeasurementsKept)) {
      this.#measurements.delete(id);
    }
  }

  /** Throws when it cannot be written. */
  write(nowMs: number, everyMs = hostLedgerWriteMs): void {
    if (!this.#hasChanged || nowMs - this.#writtenAtMs < everyMs) {
      return;
    }
    this.#hasChanged = false;
    this.#writtenAtMs = nowMs;
    const days = [...this.#days].map(([day, use]) => ({ day, ...use }));
    const figures: HostFigures = { days, measurements: [...this.#measurements.values()] };
    writeWhole(pathIn(this.#stateDir), JSON.stringify(figures), 0o600);
  }
}

/** `2026-11-28`, UTC. */
export function dayOf(ms: number): string {
  return new Date(Math.floor(ms / dayMs) * dayMs).toISOString().slice(0, 10);
}
