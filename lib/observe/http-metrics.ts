/** What every gateway counts, on a registry of prom-client. Names and labels are stable: docs and alerts use them. */
import { Counter, Histogram, type Registry } from "prom-client";

export interface HttpMetrics {
  /** `route` is a pattern (`/api/agent/:id`), never a path: the number of series stays small. */
  request(request: RequestTime): void;
  authenticationFailure(code: string): void;
  quotaViolation(): void;
  /** Fits `onQuery` of lib/store/postgres/open.ts. */
  query(query: { readonly name: string; readonly elapsedMs: number; readonly failed: boolean }): void;
}

export interface RequestTime {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly elapsedMs: number;
}

/** From an answer out of memory to a slow upload. */
const requestBucketsSec = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];
/** From a statement that finds its row in memory to one that nears its time limit. */
const queryBucketsSec = requestBucketsSec;

export function httpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const authentications = new Counter({
    name: "vantage_gateway_authentication_failures_total",
    help: "Requests refused because of who sent them, by code of the problem",
    labelNames: ["code"],
    registers,
  });
  const quotas = new Counter({
    name: "vantage_gateway_quota_violations_total",
    help: "Requests refused because a quota or limit of the user is used up",
    registers,
  });
  return {
    request: requestMetrics(registry),
    authenticationFailure: (code) => authentications.inc({ code }),
    quotaViolation: () => quotas.inc(),
    query: queryMetrics(registry),
  };
}

/** Keeps the counters of each method, route and status at hand: to look them up by label costs more than to count. */
function requestMetrics(registry: Registry): HttpMetrics["request"] {
  const registers = [registry];
  const requests = new Counter({
    name: "vantage_gateway_http_requests_total",
    help: "Requests answered, by method, route pattern and status",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const times = new Histogram({
    name: "vantage_gateway_http_request_seconds",
    help: "Time from a request's headers to its answer's headers",
    labelNames: ["method", "route"],
    buckets: requestBucketsSec,
    registers,
  });
  const known = new Map<string, (elapsedSec: number) => void>();
  const bind = ({ method, route, status }: RequestTime) => {
    const count = requests.labels(method, route, String(status));
    const time = times.labels(method, route);
    return (elapsedSec: number) => {
      count.inc();
      time.observe(elapsedSec);
    };
  };
  return (request) => {
    const key = `${request.status}${request.method}${request.route}`;
    let add = known.get(key);
    if (add === undefined) {
      add = bind(request);
      known.set(key, add);
    }
    add(request.elapsedMs / 1000);
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
