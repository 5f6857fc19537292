/** A gateway as a process of its own, whose `/health` and memory are watched while it is attacked. */
import { readFileSync, writeFileSync } from "node:fs";
import { StoreProcess } from "../../contract/client/store-with-paths.ts";
import { SampleSets } from "../../enrich/sample-sets.ts";
import { adminKey, FuzzedGateway } from "../../fuzz/api/fuzzed-gateway.ts";

/** Pause between two requests for `/health`. */
const lookMs = 20;
export const agentId = "attacked";
export const serviceKey = "the service key of the attacked gateway";
const prefixes = ["192.0.2.0/24", "2001:db8::/64"];

/** What an attack did to everybody else. */
export interface Held {
  /** The longest that `/health` took. */
  readonly healthMs: number;
  /** Megabytes of the process above those before, at most. */
  readonly grownMb: number;
  /** CPU time of the process, in seconds. */
  readonly cpuSec: number;
  /** How many answers had each status and code. */
  readonly answers: Readonly<Record<string, number>>;
}

export type GatewayName = "probing-gateway" | "peering-gateway";

const settings: Readonly<Record<GatewayName, Readonly<Record<string, object>>>> = {
  "probing-gateway": {
    // Nobody asks it.
    store: { address: "http://127.0.0.1:1" },
    limits: { public_requests_per_minute: 1_000_000, public_requests_per_minute_all: 10_000_000 },
  },
  "peering-gateway": {
    leases: { pool: ["2001:db8::/40"], per_user_max: 3 },
    rpki: { adapter: "local", origin_asn: 64_496 },
    subjects: { keys: [`one:${Buffer.alloc(32, 1).toString("base64url")}`] },
    service: { keys: [{ name: "sweep", key: serviceKey }] },
  },
};

export class WatchedGateway implements AsyncDisposable {
  readonly #gateway: FuzzedGateway;
  readonly #owned: AsyncDisposable;
  readonly #store: StoreProcess | null;
  /** The key of its one agent; null for a peering gateway. */
  agentKey: string | null = null;

  private constructor(
    gateway: FuzzedGateway,
    owned: AsyncDisposable = gateway,
    store: StoreProcess | null = null,
  ) {
    this.#gateway = gateway;
    this.#owned = owned;
    this.#store = store;
  }

  /** A probing gateway has one healthy agent, and the address of a column store that nobody asks. */
  static async start(name: GatewayName = "probing-gateway"): Promise<WatchedGateway> {
    const watched = new WatchedGateway(await FuzzedGateway.start(name, settings[name]));
    return name === "probing-gateway" ? await watched.#withAgent() : watched;
  }

  /** A probing gateway with a real column store behind it, and sets of context. */
  static async startWithStore(): Promise<WatchedGateway> {
    await using undo = new AsyncDisposableStack();
    const store = undo.use(await StoreProcess.start());
    const sets = undo.use(new SampleSets());
    await sets.put(new Date().toISOString().slice(0, 10), 64_501);
    const more = { store: { address: store.address }, context: { dir: sets.path } };
    const gateway = await FuzzedGateway.start("probing-gateway", { ...settings["probing-gateway"], ...more });
    const watched = new WatchedGateway(undo.use(gateway), undo.move(), store);
    return await watched.#withAgent();
  }

  async #withAgent(): Promise<this> {
    const made = await this.post(adminKey, "admin/agents", { id: agentId, granted_prefixes: prefixes });
    const { agent_key: key } = (await made.json()) as { agent_key: string };
    this.agentKey = key;
    await this.post(key, "agent-api/agent/register", { id: agentId, secret: "a secret of the agent" });
    await this.post(key, `agent-api/agent/${agentId}/config`, [
      { name: "one", instance_id: 0, src_ipv4_prefix: "192.0.2.0/24" },
      { name: "two", instance_id: 1, src_ipv6_prefix: "2001:db8::/64" },
    ]);
    const health = { healthy: true, message: null, details: { report_interval_ms: 3_600_000 } };
    await this.post(key, `agent-api/agent/${agentId}/health`, health);
    return this;
  }

  get url(): string {
    return this.#gateway.url;
  }

  get pid(): number {
    return this.#gateway.pid;
  }

  /** Where answers are put that nobody measured. */
  get store(): StoreProcess {
    if (this.#store === null) {
      throw new Error("This gateway has no column store");
    }
    return this.#store;
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
    return Promise.resolve(this.#owned[Symbol.asyncDispose]());
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
