/** A gateway with a real column store behind it, and measurements whose results tests put there. */
import { serve } from "../../../lib/engines/http/serve.ts";
import type { EngineHome } from "../../postgres/engines.ts";
import { type ProbeGiven, type ReplyGiven, StoreProcess } from "../client/store-with-paths.ts";
import { addAgent, GatewayHome } from "../probing-gateway/gateway-home.ts";

/** The source of `test` at agents of `addAgent`, which share it. */
export const source = "192.0.2.1";

/** A column store by its address, and who puts rows there as the ingester would. */
export type FilledStore = Pick<StoreProcess, "address" | "insertProbes" | "insertReplies"> & AsyncDisposable;

export class ResultsHome<Store extends FilledStore = StoreProcess> implements AsyncDisposable {
  readonly gateway: GatewayHome;
  readonly store: Store;

  private constructor(gateway: GatewayHome, store: Store) {
    this.gateway = gateway;
    this.store = store;
  }

  static async start(database: EngineHome, yaml = "", peeringGateway?: string): Promise<ResultsHome> {
    return await ResultsHome.on(await StoreProcess.start(), database, yaml, peeringGateway);
  }

  /** The store ends with it. */
  static async on<Store extends FilledStore>(
    store: Store,
    database: EngineHome,
    yaml = "",
    peeringGateway?: string,
  ): Promise<ResultsHome<Store>> {
    const gateway = await GatewayHome.start({
      ...(peeringGateway === undefined ? {} : { peeringGateway }),
      databaseAddress: await database.freshDatabase(),
      yaml: `store: { address: "${store.address}" }\n${yaml}`,
    });
    await addAgent(gateway, "west");
    await addAgent(gateway, "east");
    return new ResultsHome(gateway, store);
  }

  /** Probes with TTL 1 and up to one destination, from `source` at west; resolves to the measurement's id. */
  async submit(user: string, probes: number, agents = `west:${source}`): Promise<string> {
    const lines = Array.from({ length: probes }, (_, i) => `203.0.113.9,24000,33434,${i + 1},udp\n`).join("");
    const response = await this.gateway.submit(user, lines, { type: "text/csv", query: `?agents=${agents}` });
    if (response.status !== 200) {
      throw new Error(`Cannot submit: ${await response.text()}`);
    }
    return ((await response.json()) as { id: string }).id;
  }

  /** As the ingester would: all submitted probes, and these answers. */
  async ingest(id: string, probes: number, answers: readonly Partial<ReplyGiven>[]): Promise<void> {
    await this.store.insertProbes(Array.from({ length: probes }, (_, index) => probeOf(id, index)));
    await this.store.insertReplies(answers.map((answer, i) => ({ ...replyOf(id, i + 1), ...answer })));
  }

  async end(id: string, agoSeconds: number): Promise<void> {
    const { sql } = this.gateway.services.database;
    await sql`
      UPDATE measurement_agents SET status = 'complete', sent_probes = expected_probes WHERE measurement_id = ${id}`;
    await sql`
      UPDATE measurements SET ended_at = now() - ${agoSeconds} * interval '1 second', started_at =
        least(started_at, now() - ${agoSeconds + 60} * interval '1 second')
      WHERE measurement_id = ${id}`;
  }

  get(user: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.gateway.ask(user, path, { headers });
  }

  async rows(user: string, path: string): Promise<Record<string, unknown>[]> {
    const response = await this.get(user, path);
    if (response.status !== 200) {
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    }
    return (await response.json()) as Record<string, unknown>[];
  }

  /** On a port of its own, as clients meet it. */
  listen(port = 0) {
    return serve((request) => this.gateway.fetch(request), { host: "127.0.0.1", port });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway[Symbol.asyncDispose]();
    await this.store[Symbol.asyncDispose]();
  }
}

export function probeOf(measurement: string, index: number): ProbeGiven {
  return {
    measurement,
    agent: "west",
    destination: "203.0.113.9",
    srcPort: 24000,
    ttl: index + 1,
    index,
    source,
  };
}

export function replyOf(measurement: string, ttl: number): ReplyGiven {
  return {
    measurement,
    agent: "west",
    sender: "west/1",
    source,
    destination: "203.0.113.9",
    srcPort: 24000,
    ttl,
    from: `198.51.100.${ttl & 0xff}`,
    rttTenthMs: 10 * ttl,
  };
}
