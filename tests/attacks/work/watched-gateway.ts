/** A gateway as a process of its own, whose `/health` and memory are watched while it is attacked. */
import { readFileSync, writeFileSync } from "node:fs";
import { adminKey, FuzzedGateway } from "../../fuzz/api/fuzzed-gateway.ts";

/** Pause between two requests for `/health`. */
const lookMs = 20;
const agentId = "attacked";
const prefixes = ["192.0.2.0/24", "2001:db8::/64"];

/** What an attack did to everybody else. */
interface Held {
  /** The longest that `/health` took. */
  readonly healthMs: number;
  /** Megabytes of the process above those before, at most. */
  readonly grownMb: number;
  /** CPU time of the process, in seconds. */
  readonly cpuSec: number;
  /** How many answers had each status and code. */
  readonly answers: Readonly<Record<string, number>>;
}

export class WatchedGateway implements AsyncDisposable {
  readonly #gateway: FuzzedGateway;

  private constructor(gateway: FuzzedGateway) {
    this.#gateway = gateway;
  }

  /** With one healthy agent, and the address of a column store that nobody asks. */
  static async start(): Promise<WatchedGateway> {
    const gateway = await FuzzedGateway.start("probing-gateway", {
      store: { address: "http://127.0.0.1:1" },
    });
    const watched = new WatchedGateway(gateway);
    const made = await watched.post(adminKey, "admin/agents", { id: agentId, granted_prefixes: prefixes });
    const { agent_key: key } = (await made.json()) as { agent_key: string };
    await watched.post(key, "agent-api/agent/register", { id: agentId, secret: "a secret of the agent" });
    await watched.post(key, `agent-api/agent/${agentId}/config`, [
      { name: "one", instance_id: 0, src_ipv4_prefix: "192.0.2.0/24" },
      { name: "two", instance_id: 1, src_ipv6_prefix: "2001:db8::/64" },
    ]);
    const health = { healthy: true, message: null, details: { report_interval_ms: 3_600_000 } };
    await watched.post(key, `agent-api/agent/${agentId}/health`, health);
    return watched;
  }

  get url(): string {
    return this.#gateway.url;
  }

  get pid(): number {
    return this.#gateway.pid;
  }

  tokenOf(user: string): Promise<string> {
    return this.#gateway.issuer.tokenFor(user);
  }

  post(token: string, path: string, body: object | string, signal?: AbortSignal): Promise<Response> {
    const isText = typeof body === "string";
    return fetch(`${this.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": isText ? "text/plain" : "application/json",
      },
      body: isText ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  get(token: string, path: string): Promise<Response> {
    return fetch(`${this.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  }

  /** Plays an attack while others ask for `/health`. */
  async during(play: () => Promise<Held["answers"]>): Promise<Held> {
    const beforeMb = memoryMb(this.pid, "VmRSS");
    forgetPeak(this.pid);
    const beforeSec = cpuSecOf(this.pid);
    let isOver = false;
    const over = play().finally(() => {
      isOver = true;
    });
    let healthMs = 0;
    while (!isOver) {
      const askedAtMs = performance.now();
      await (await fetch(`${this.url}health`)).text();
      healthMs = Math.max(healthMs, performance.now() - askedAtMs);
      await Bun.sleep(lookMs);
    }
    return {
      answers: await over,
      healthMs,
      grownMb: Math.max(0, memoryMb(this.pid, "VmHWM") - beforeMb),
      cpuSec: cpuSecOf(this.pid) - beforeSec,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#gateway[Symbol.asyncDispose]();
  }
}

function memoryMb(pid: number, field: "VmRSS" | "VmHWM"): number {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1] ?? 0) / 1024;
}

/** The peak counts from now on: proc(5), clear_refs. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Seconds that all threads have used, by proc(5), stat: it counts hundredths. */
function cpuSecOf(pid: number): number {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = rest.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
