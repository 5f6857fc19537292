/** That the benches of the HTTP services work, on so few requests that their figures mean nothing. */
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
    const figures = ["requests/s", "p99 ms", "MB"];
    expect(comparisons(found, "gateway")).toEqual(
      requests.flatMap((request) =>
        figures.flatMap((figure) =>
          ["existing gateways", ...(request === "GET /api/agents" && figure !== "MB" ? ["caddy"] : [])].map(
            (reference) => `vantage / ${reference} ${request}: ${figure}`,
          ),
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
