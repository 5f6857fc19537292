/** What every gateway counts, on a registry of prom-client. Names and labels are stable: docs and alerts use them. */
import { Counter, Histogram, type Registry } from "prom-client";

export interface HttpMetrics {
  /** `route` is a pattern (`/api/agent/:id`), never a path: the number of series stays small. */
  request(request: RequestTime): void;
  authenticationFailure(code: string): void;
  quotaViolation(): void;
  /** A JSON body was refused because the bodies being read leave no room for it. */
  bodyRefused(code: string): void;
  /** The work of a request found no place, took too long, or ended with its client. */
  workRefused(code: string): void;
  /** Fits `onQuery` of lib/engines/store/postgres/open.ts. */
  query(query: { readonly name: string; readonly elapsedMs: number; readonly failed: boolean }): void;
}

interface RequestTime {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly elapsedMs: number;
}

/** From a cached answer to a slow upload. */
const requestBucketsSec = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
/** From a statement that finds its row in memory to one near its time limit. */
const queryBucketsSec = requestBucketsSec;

export function httpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const authentications = new Counter({
    name: "vantage_gateway_authentication_failures_total",
    help: "Requests refused because of their sender, by code of the problem",
    labelNames: ["code"],
    registers,
  });
  const quotas = new Counter({
    name: "vantage_gateway_quota_violations_total",
    help: "Requests refused because a quota or limit of the user is used up",
    registers,
  });
  const bodies = new Counter({
    name: "vantage_gateway_bodies_refused_total",
    help: "Large JSON bodies that found no room among others, by code of the problem",
    labelNames: ["code"],
    registers,
  });
  const works = new Counter({
    name: "vantage_gateway_work_refused_total",
    help: "Requests whose computation was refused or ended early, by code of the problem",
    labelNames: ["code"],
    registers,
  });
  return {
    request: requestMetrics(registry),
    authenticationFailure: (code) => authentications.inc({ code }),
    quotaViolation: () => quotas.inc(),
    bodyRefused: (code) => bodies.inc({ code }),
    workRefused: (code) => works.inc({ code }),
    query: queryMetrics(registry),
  };
}

/** The requests of one method, route and status. */
interface RequestTally {
  readonly labels: { readonly method: string; readonly route: string; readonly status: string };
  /** Since the last scrape. */
  count: number;
  readonly observe: (elapsedSec: number) => void;
}

/** Counts requests here and exports them at a scrape: looking up a counter by its labels costs more than counting. */
function requestMetrics(registry: Registry): HttpMetrics["request"] {
  const registers = [registry];
  const tallies = new Map<string, RequestTally>();
  new Counter({
    name: "vantage_gateway_http_requests_total",
    help: "Requests answered, by method, route pattern and status",
    labelNames: ["method", "route", "status"],
    registers,
    collect() {
      for (const tally of tallies.values()) {
        this.inc(tally.labels, tally.count);
        tally.count = 0;
      }
    },
  });
  const times = new Histogram({
    name: "vantage_gateway_http_request_seconds",
    help: "Time from a request's headers to its answer's headers",
    labelNames: ["method", "route"],
    buckets: requestBucketsSec,
    registers,
  });
  return ({ method, route, status, elapsedMs }) => {
    const key = `${status}${method}${route}`;
    let tally = tallies.get(key);
    if (tally === undefined) {
      const labels = { method, route, status: String(status) };
      const time = times.labels(method, route);
      tally = { labels, count: 0, observe: (elapsedSec) => time.observe(elapsedSec) };
      tallies.set(key, tally);
    }
    tally.count++;
    tally.observe(elapsedMs / 1000);
  };
}

function queryMetrics(registry: Registry): HttpMetrics["query"] {
  const registers = [registry];
  const times = new Histogram({
    name: "vantage_database_query_seconds",
    help: "Time of database queries, by name",
    labelNames: ["query"],
    buckets: queryBucketsSec,
    registers,
  });
  const failures = new Counter({
    name: "vantage_database_query_failures_total",
    help: "Database queries that failed, by name",
    labelNames: ["query"],
    registers,
  });
  return ({ name, elapsedMs, failed }) => {
    times.observe({ query: name }, elapsedMs / 1000);
    if (failed) {
      failures.inc({ query: name });
    }
  };
}
