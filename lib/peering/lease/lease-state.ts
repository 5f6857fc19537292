/** The status of a lease at a given time, from its stored row. */

export type ClosedAs = "expired" | "released" | "revoked";
type LeaseStatus = "active" | ClosedAs;

interface StoredLease {
  readonly end_time: Date;
  /** Null while the lease is open. */
  readonly closed_as: ClosedAs | null;
}

/** A lease whose end has passed is expired, even before the sweep has closed it. */
export function leaseStatus({ end_time, closed_as }: StoredLease, nowMs: number): LeaseStatus {
  return closed_as ?? (end_time.getTime() > nowMs ? "active" : "expired");
}

/** True for a live lease within `soonMs` of its end. */
export function endsSoon(lease: StoredLease, nowMs: number, soonMs: number): boolean {
  return leaseStatus(lease, nowMs) === "active" && lease.end_time.getTime() - nowMs <= soonMs;
}
