/** The generator's Prometheus metrics: names and labels are stable. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { Logger } from "../../../lib/engines/observe/log.ts";
import type { Sight } from "../../../lib/engines/observe/sight.ts";
import { type Exclusion, isFault } from "../../../lib/peering/policy/exclusion.ts";
import type { OutsideRefusal } from "../../../lib/peering/policy/outside-refusal.ts";
import { exclusionsLoggedMax } from "./limits.ts";

export type FailureStep = "gateway" | "vpn" | "state" | "policy" | "daemon" | "approval";

export interface GeneratorMetrics {
  failure(step: FailureStep): void;
  applied(result: "changed" | "unchanged" | "failed"): void;
  suspension(): void;
  /** A prefix that changes too often. */
  holdBack(): void;
  /** A route that outlived its lease. */
  overstay(): void;
  approval(count: number): void;
  /** Routes of this server's own device, which the coordination server had withdrawn. */
  restoredRoutes(): void;
  /** Counts and logs new exclusions that are faults. */
  exclusions(excluded: readonly Exclusion[], log: Logger): void;
}

/** Routes of a neighbour outside, by the reason why they are refused. */
export interface RefusedOutside {
  readonly neighbor: string;
  /** `unlisted`: of too many routes. */
  readonly reason: OutsideRefusal | "unlisted";
  readonly routes: number;
}

/** Read at each scrape. */
export interface Levels {
  /** Seconds; by source. Left out while a source has never answered. */
  readonly dataAgeSec: Readonly<Record<string, number>>;
  readonly users: Readonly<Record<"in" | "leasing" | "suspended", number>>;
  readonly excluded: Readonly<Record<string, number>>;
  /** Null while the daemon does not answer. */
  readonly sessions: Readonly<Record<"up" | "down", number>> | null;
  readonly routes: Readonly<Record<"accepted" | "refused", number>> | null;
  readonly refusedOutside: readonly RefusedOutside[] | null;
  /** When each RPKI cache last answered, by name; 0 = never. Null while the daemon does not answer. */
  readonly cachesSec: Readonly<Record<string, number>> | null;
  readonly rejectAll: number;
  readonly standbyUp: number;
  readonly lastChangeSec: number;
  /** When the leases of the active policy were read; 0 = there is none. */
  readonly leasesSec: number;
}

export function generatorMetrics(registry: Registry, sight: Sight, read: () => Levels): GeneratorMetrics {
  addLevels(registry, read);
  addDaemonLevels(sight, read);
  const registers = [registry];
  const counter = (name: string, help: string, label?: string) =>
    new Counter({ name: `vantage_policy_${name}_total`, help, labelNames: label ? [label] : [], registers });
  const failures = counter("failures", "Steps that failed, by step", "step");
  const applied = counter("applied", "Attempts to apply a policy, by result", "result");
  const suspensions = counter(
    "suspensions",
    "Users suspended for announcing too often, or unknown attributes",
  );
  const holdBacks = counter("held_prefixes", "Prefixes refused for a while for changing too often");
  const overstays = counter(
    "overstays",
    "Checks in which a route had outlived its lease; its session was ended",
  );
  const approvals = counter("approvals", "Devices whose routes were changed at the coordination server");
  const restored = counter(
    "restored_routes",
    "Times that routes of this server's device were set again, which the coordination server had withdrawn",
  );
  const faults = counter("exclusions", "Users or devices left out for a fault, by reason", "reason");
  let known = new Set<string>();
  return {
    failure: (step) => failures.inc({ step }),
    applied: (result) => applied.inc({ result }),
    suspension: () => suspensions.inc(),
    holdBack: () => holdBacks.inc(),
    overstay: () => overstays.inc(),
    approval: (count) => approvals.inc(count),
    restoredRoutes: () => restored.inc(),
    exclusions(excluded, log) {
      const current = new Map(excluded.map((entry) => [JSON.stringify(entry), entry]));
      const fresh = [...current].filter(([key, { reason }]) => isFault(reason) && !known.has(key));
      for (const [, { reason }] of fresh) {
        faults.inc({ reason });
      }
      for (const [, { userHash, reason, detail }] of fresh.slice(0, exclusionsLoggedMax)) {
        log.warn("Leaves out a user", { user_hash: userHash, reason, detail });
      }
      known = new Set(current.keys());
    },
  };
}

function addLevels(registry: Registry, read: () => Levels): void {
  const gauge = (
    name: string,
    help: string,
    of: (levels: Levels) => number | Readonly<Record<string, number>>,
  ) => {
    const label = labels[name];
    const collect = function (this: Gauge) {
      const value = of(read());
      this.reset();
      for (const [key, one] of Object.entries(typeof value === "number" ? { "": value } : value)) {
        this.set(label === undefined ? {} : { [label]: key }, one);
      }
    };
    const labelNames = label === undefined ? [] : [label];
    registry.registerMetric(
      new Gauge({ name: `vantage_policy_${name}`, help, labelNames, registers: [], collect }),
    );
  };
  gauge("data_age_seconds", "Time since a source's last answer", ({ dataAgeSec }) => dataAgeSec);
  gauge("users", "Users in the policy, those with a live lease, those suspended", ({ users }) => users);
  gauge("excluded", "Excluded users and devices, by reason", ({ excluded }) => excluded);
  gauge("reject_all", "1 while every route of every user is refused", ({ rejectAll }) => rejectAll);
  gauge("standby_up", "1 while a standby would take over from this process", ({ standbyUp }) => standbyUp);
  gauge(
    "last_change_timestamp_seconds",
    "When a new policy became active",
    ({ lastChangeSec }) => lastChangeSec,
  );
  gauge(
    "leases_timestamp_seconds",
    "When the leases of the active policy were read; 0 = no policy is active yet",
    ({ leasesSec }) => leasesSec,
  );
}

/** What the routing daemon says of itself. */
function addDaemonLevels(sight: Sight, read: () => Levels): void {
  const gauge = (
    name: string,
    { help, label, of }: { help: string; label: string; of: "sessions" | "routes" | "cachesSec" },
  ) =>
    sight.add({
      ...{ part: "daemon", name: `vantage_policy_${name}`, help, labelNames: [label] },
      read() {
        return Object.entries(daemonSaid(read()[of])).map(([key, value]) => ({
          labels: { [label]: key },
          value,
        }));
      },
    });
  const state = "state";
  gauge("sessions", { help: "Sessions of users, by whether they are up", label: state, of: "sessions" });
  gauge("routes", { help: "Routes of users, accepted and refused", label: state, of: "routes" });
  sight.add({
    ...{ part: "daemon", name: "vantage_policy_outside_refused_routes" },
    help: "Routes of upstreams, peers and route servers that are refused, by reason",
    labelNames: ["neighbor", "reason"],
    read: () =>
      daemonSaid(read().refusedOutside).map(({ neighbor, reason, routes: value }) => ({
        labels: { neighbor, reason },
        value,
      })),
  });
  const help = "When an RPKI cache last answered in full; 0 = it has not";
  gauge("rpki_answered_timestamp_seconds", { help, label: "cache", of: "cachesSec" });
}

function daemonSaid<T>(levels: T | null): T {
  if (levels === null) {
    throw new Error("The routing daemon does not answer");
  }
  return levels;
}

const labels: Readonly<Record<string, string>> = {
  data_age_seconds: "source",
  users: "state",
  excluded: "reason",
};
