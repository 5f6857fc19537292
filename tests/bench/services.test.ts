/**
 * That the benches of the HTTP services work, on so few requests that their figures mean nothing.
 *
 * @tier long: a bench that works changes seldom, and takes both cores
 */
import { afterAll, expect, test } from "bun:test";
import { BenchRun, comparisons } from "./bench-run.ts";

const limitMs = 60_000;
const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test(
  "gateway: every request is answered, and nothing stays behind",
  async () => {
    const found = await bench.figures("gateway", "--count=1");
    const requests = ["GET /api/agents", "GET /api/user/me", ...[1, 1000, 10_000].map(submission)];
    const references = (request: string, figure: string) => [
      // Nobody has measured it there.
      ...(figure === "CPU ms" && request.startsWith("GET") ? [] : ["existing gateways"]),
      ...(request === "GET /api/agents" && (figure === "requests/s" || figure === "p99 ms") ? ["caddy"] : []),
    ];
    const compared = found.filter((line) => JSON.parse(line).reference !== null);
    expect(comparisons(compared, "gateway")).toEqual(
      requests.flatMap((request) =>
        ["requests/s", "p99 ms", "MB", "CPU ms"].flatMap((figure) =>
          references(request, figure).map((reference) => `vantage / ${reference} ${request}: ${figure}`),
        ),
      ),
    );
  },
  limitMs,
);

function submission(probes: number): string {
  return `POST /api/probes, ${probes} probes`;
}

test(
  "gateway-memory: every line is published, and nothing stays behind",
  async () => {
    const figures = await bench.figures("gateway-memory", "--count=20000");
    expect(comparisons(figures, "gateway-memory")).toEqual(["vantage probing-gateway / limit MB"]);
  },
  limitMs,
);

test(
  "peering: every request is answered, and nothing stays behind",
  async () => {
    const figures = await bench.figures("peering", "--count=1");
    const requests = ["GET /api/user/info", "POST /api/user/prefix"].flatMap((request) =>
      ["requests/s", "p99 ms", "MB"].map(
        (figure) => `vantage / existing gateways ${request}, pool of 65,536: ${figure}`,
      ),
    );
    const mappings = "vantage / limit GET /service/mappings, 1,000 users: ms";
    expect(comparisons(figures, "peering")).toEqual([...requests, mappings]);
  },
  limitMs,
);

test(
  "many: each agent has a connection of its own and hears of cancellations, and nothing stays behind",
  async () => {
    const figures = (await bench.figures("many", "--count=5")).map((line) => JSON.parse(line));
    const byUnit = new Map(figures.map(({ unit, value }) => [unit, value]));
    expect([...byUnit.keys()]).toEqual([
      "reports/s asked",
      "reports/s answered",
      ...["answer to a request", "report late", "cancellation received"].flatMap((what) =>
        ["p50", "p99"].map((quantile) => `${what}, ms ${quantile}`),
      ),
      "gateway CPU, µs a report",
      ...["gateway", "PostgreSQL", "agents' side"].map((who) => `${who} CPU, s/s`),
      "gateway peak MB",
    ]);
    expect(byUnit.get("reports/s asked")).toBe(5);
    expect(byUnit.get("reports/s answered")).toBeGreaterThan(0);
    expect(byUnit.get("cancellation received, ms p99")).toBeGreaterThan(0);
  },
  limitMs,
);
