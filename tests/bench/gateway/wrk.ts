/** Runs wrk (Debian package wrk) on one core: one thread, 32 connections, for some seconds. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

interface Load {
  readonly url: string;
  /** Null = GET. */
  readonly body: Uint8Array | null;
  /** Lua that makes the requests, instead of url and body alone. */
  readonly script?: string;
  readonly seconds: number;
  readonly folder: string;
}

interface LoadResult {
  readonly requests: number;
  readonly requestsPerSec: number;
  readonly p99Ms: number;
}

const connections = 32;
const unitMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

/** Rejects when a request was not answered by 2xx. */
export async function runWrk(order: Load): Promise<LoadResult> {
  const { url, body, seconds, folder } = order;
  const script = join(folder, "request.lua");
  writeFileSync(script, order.script ?? (body === null ? "" : postScript(body, folder)));
  const load = [
    "wrk",
    "-t1",
    `-c${connections}`,
    `-d${seconds}s`,
    "--timeout=30s",
    "--latency",
    "-s",
    script,
    url,
  ];
  const wrk = Bun.spawn(["taskset", "-c", "1", ...load], { stdout: "pipe", stderr: "inherit" });
  const said = await new Response(wrk.stdout).text();
  const requests = /(\d+) requests in/.exec(said)?.[1];
  const perSec = /Requests\/sec:\s+([\d.]+)/.exec(said)?.[1];
  const [, p99, unit = "ms"] = /99%\s+([\d.]+)(us|ms|s|m)/.exec(said) ?? [];
  if (
    requests === undefined ||
    perSec === undefined ||
    p99 === undefined ||
    /Non-2xx|Socket errors/.test(said)
  ) {
    throw new Error(`wrk on ${url} found: ${said}`);
  }
  return {
    requests: Number(requests),
    requestsPerSec: Number(perSec),
    p99Ms: Number(p99) * (unitMs[unit] ?? 1),
  };
}

function postScript(body: Uint8Array, folder: string): string {
  const file = join(folder, "body");
  writeFileSync(file, body);
  return `
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    local file = io.open("${file}", "rb")
    wrk.body = file:read("*a")
    file:close()
  `;
}
