/** That the benches of the HTTP services work, on so few requests that their figures mean nothing. */
import { afterAll, expect, test } from "bun:test";
import { BenchRun, comparisons } from "./bench-run.ts";

const limitMs = 60_000;
const bench = new BenchRun();
afterAll(() => bench[Symbol.dispose]());

test(
  "gateway: every request is answered, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await bench.run(
      "gateway",
      "--count",
      "1",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    const requests = ["GET /api/agents", "GET /api/user/me", ...[1, 1000, 10_000].map(submission)];
    const figures = ["requests/s", "p99 ms", "MB"];
    expect(comparisons(stdout, "gateway")).toEqual(
      requests.flatMap((request) =>
        figures.flatMap((figure) =>
          ["existing gateways", ...(request === "GET /api/agents" && figure !== "MB" ? ["caddy"] : [])].map(
            (reference) => `vantage / ${reference} ${request}: ${figure}`,
          ),
        ),
      ),
    );
    expect(left).toEqual([]);
  },
  limitMs,
);

function submission(probes: number): string {
  return `POST /api/probes, ${probes} probes`;
}

test(
  "gateway-memory: every line is published, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await bench.run(
      "gateway-memory",
      "--count",
      "20000",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    expect(comparisons(stdout, "gateway-memory")).toEqual(["vantage probing-gateway / limit MB"]);
    expect(left).toEqual([]);
  },
  limitMs,
);

test(
  "peering: every request is answered, and nothing stays behind",
  async () => {
    const { stdout, stderr, exitCode, left } = await bench.run(
      "peering",
      "--count",
      "1",
      "--rounds",
      "1",
      "--json",
    );
    expect(exitCode, stderr).toBe(0);
    const requests = ["POST /api/user/prefix", "GET /api/user/info"].flatMap((request) =>
      ["requests/s", "p99 ms", "MB"].map(
        (figure) => `vantage / existing gateways ${request}, pool of 65,536: ${figure}`,
      ),
    );
    const mappings = "vantage / limit GET /service/mappings, 1,000 users: ms";
    expect(comparisons(stdout, "peering")).toEqual([...requests, mappings]);
    expect(left).toEqual([]);
  },
  limitMs,
);
