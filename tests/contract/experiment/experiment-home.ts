/** Both gateways with databases and a column store, a user with leases, and what is played around them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSweep } from "../../../apps/peering/gateway/sweep.ts";
import type { ChangeBudget } from "../../../lib/base/api/change-budget.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { rowsOf } from "../../../lib/engines/store/clickhouse/rows.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { startEngine } from "../../postgres/engines.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { DiscoveryNetwork } from "../campaigns/discovery-network.ts";
import { PeeringHome } from "../peering-gateway/peering-home.ts";
import { addAgent } from "../probing-gateway/gateway-home.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";

const user = "anna";
export const targets = [1, 2, 3, 4].map((host) => `2001:db8:9::${host}`);

/** How far the played client stack's clock is ahead, which has compared it so well with the gateway's. */
export const stackAheadMs = 3000;
const stackClock = { offset_ms: -stackAheadMs, within_ms: 5 };

interface Play {
  /** How far an agent's clock is ahead. */
  readonly aheadMs: (agent: string) => number;
  /** Answers of a round are about to come. */
  readonly onRound: (round: number) => void;
}

export class ExperimentHome implements AsyncDisposable {
  readonly runOptions = ["--interval", "5s", "--settle", "1s"];
  readonly probing: ResultsHome;
  readonly #peering: PeeringHome;
  readonly #folder: string;
  readonly #variables: Readonly<Record<string, string | undefined>>;
  readonly #owned: AsyncDisposableStack;

  private constructor(
    { probing, peering, folder }: { probing: ResultsHome; peering: PeeringHome; folder: string },
    variables: Readonly<Record<string, string | undefined>>,
    owned: AsyncDisposableStack,
  ) {
    this.probing = probing;
    this.#peering = peering;
    this.#folder = folder;
    this.#variables = variables;
    this.#owned = owned;
  }

  static async start(): Promise<ExperimentHome> {
    await using undo = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "vantage-experiment-"));
    undo.defer(() => rmSync(folder, { recursive: true, force: true }));
    const engine = undo.use(await startEngine());
    const probing = undo.use(await ResultsHome.start(engine));
    const address = await engine.freshDatabase();
    const database = undo.use(await openDatabase(address, { applicationName: "test" }));
    const leases = '{ pool: ["2001:db8:100::/40"], per_user_max: 12 }';
    const yaml = "announcements: { prefix_minutes: 0, per_hour_max: 100 }";
    const peering = undo.use(await PeeringHome.start({ database, leases, yaml }));
    undo.use(startSweep(peering.services));
    const gateway = undo.use(probing.listen());
    const other = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch: (request) => peering.app.fetch(request),
    });
    undo.defer(() => other.stop(true));
    const variables = {
      PATH: process.env.PATH,
      VANTAGE_GATEWAY: gateway.url,
      VANTAGE_PEERING_GATEWAY: `http://127.0.0.1:${other.port}`,
      VANTAGE_TOKEN: user,
    };
    return new ExperimentHome({ probing, peering, folder }, variables, undo.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned[Symbol.asyncDispose]();
  }

  vantage(...args: string[]) {
    const child = Bun.spawn([...vantageCommand, "experiment", ...args], {
      env: this.#variables,
      stdout: "pipe",
      stderr: "pipe",
    });
    const ended = Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]).then(([out, err, code]) => ({ out, err, code }));
    return { child, ended };
  }

  /** A file with two catchments, 4 s apart, of a prefix that is announced at two sites. */
  async experimentFile(name: string, probe = "catchment: { after: 1, times: 2, every: 4 }") {
    const prefix = await this.#peering.lease(user, 2);
    for (const agent of ["west", "east"]) {
      await addAgent(this.probing.gateway, agent, { prefixes: ["2001:db8:1234::/48", prefix] });
    }
    const path = join(this.#folder, `${name}.yaml`);
    writeFileSync(
      path,
      `experiment: ${name}
prefix: "${prefix}"
probe: { agents: [west, east], targets: ["${targets.join('", "')}"], protocol: udp }
steps:
  - { at: 0, announce: { sites: [ixp-1], prepend: 1 } }
  - { at: 0, announce: { sites: [ixp-2], prepend: 2 }, probe: { ${probe} } }
`,
    );
    return { path, prefix, journal: `${path}.journal` };
  }

  /** As `ixp-1 1`: where the prefix is announced, and its prepends. */
  async announced(prefix: string): Promise<string[]> {
    const { body } = await this.#peering.ask(user, "GET", "/api/announcements");
    const rows: { prefix: string; server: string; announce: boolean; prepend: number }[] = body.announcements;
    return rows
      .filter((row) => row.prefix === prefix && row.announce)
      .map((row) => `${row.server} ${row.prepend}`)
      .sort();
  }

  /** As the user, at the probing gateway. */
  async asked(path: string): Promise<string> {
    const response = await this.probing.gateway.ask(user, path);
    if (!response.ok) {
      throw new Error(`${path} is answered ${response.status}: ${await response.text()}`);
    }
    return await response.text();
  }

  /** What the column store answers the user, who may give it the probing gateway's address and the own token. */
  async asStored(query: (gateway: string, token: string) => string): Promise<readonly object[]> {
    await using store = await openStore(this.probing.store.address);
    const sql = query(this.#variables.VANTAGE_GATEWAY ?? "", user);
    return await Array.fromAsync(rowsOf<object>(store, { sql, params: {} }));
  }

  async leaseLeftMs(prefix: string): Promise<number> {
    const { body } = await this.#peering.ask(user, "GET", "/api/user/info");
    const leases: { prefix: string; end_time: string }[] = body.active_leases;
    return Date.parse(leases.find((lease) => lease.prefix === prefix)?.end_time ?? "") - Date.now();
  }

  /** Changes that the user has left in this hour. */
  async changesLeft(): Promise<number> {
    return (await this.#peering.ask(user, "GET", "/api/announcements")).body.budget.left;
  }

  /** As the client stack: what an exchange server says that it takes of the prefix, of which it has nothing. */
  async reportChanges(prefix: string, server: string, changes: ChangeBudget): Promise<void> {
    const daemon = { announce: false, prepend: 0, daemon_ns: null, daemon_reason: null };
    const exchange = { exchange: "withdrawn", exchange_ns: null, exchange_reason: null, heard_by: [] };
    const states = [{ prefix, server, ...daemon, ...exchange, changes }];
    const report = { version: 0, taken_ns: "1", states };
    const { status } = await this.#peering.ask(user, "PUT", "/api/announcement-report", report);
    if (status !== 200) {
      throw new Error(`Cannot report: the gateway says ${status}`);
    }
  }

  async played(act: (agents: PlayedAgents) => Promise<void>, play: Partial<Play> = {}): Promise<void> {
    const { probing } = this;
    const agents = new PlayedAgents(probing, { aheadMs: () => 0, onRound: () => {}, ...play });
    const playing = agents.play(() => this.#report());
    try {
      await act(agents);
    } finally {
      agents.end();
      await playing;
    }
  }

  /** As the client stack: all that is wished for has been done, and the exchange has taken it. */
  async #report(): Promise<void> {
    const { body } = await this.#peering.ask(user, "GET", "/api/announcements");
    const now = String(BigInt(Date.now() + stackAheadMs) * 1_000_000n);
    const states = body.announcements.map((row: Record<string, unknown>) => {
      const { until: _until, version: _version, asked_ns: _asked, ...state } = row;
      const times = {
        clock: stackClock,
        daemon_ns: now,
        daemon_reason: null,
        exchange_ns: now,
        exchange_reason: null,
      };
      return { ...state, ...times, exchange: row.announce ? "accepted" : "withdrawn", heard_by: [] };
    });
    const report = { version: body.version, taken_ns: now, states };
    await this.#peering.ask(user, "PUT", "/api/announcement-report", report);
  }
}

/** In the first round the last target is at east, from the second on two are. */
const siteOf = (target: string, round: number) =>
  Number(target.split("::")[1]) > targets.length - 1 - round ? "east" : "west";

/** Answers measurements as they come, as agents and the ingester would; gives what was sent, by measurement. */
class PlayedAgents {
  readonly sent: string[][] = [];
  readonly #probing: ResultsHome;
  readonly #play: Play;
  readonly #network: DiscoveryNetwork;
  #isOver = false;

  constructor(probing: ResultsHome, play: Play) {
    this.#probing = probing;
    this.#play = play;
    this.#network = new DiscoveryNetwork(probing);
  }

  async play(report: () => Promise<void>): Promise<void> {
    const { sql } = this.#probing.gateway.services.database;
    const ids = async () => {
      const rows = await sql<{ id: string }[]>`SELECT measurement_id::text AS id FROM measurements`;
      return rows.map(({ id }) => id);
    };
    const seen = new Set(await ids());
    while (!this.#isOver) {
      await report();
      for (const id of (await ids()).filter((one) => !seen.has(one))) {
        seen.add(id);
        await this.#answer(id);
      }
      await Bun.sleep(100);
    }
  }

  end(): void {
    this.#isOver = true;
  }

  async #answer(id: string): Promise<void> {
    const { store } = this.#probing;
    const probes = await this.#network.probesOf(id);
    const round = this.sent.push(probes.map(({ destination }) => destination)) - 1;
    await store.insertProbes(
      probes.map((probe, index) => ({ ...probe, measurement: id, agent: "west", index })),
    );
    this.#play.onRound(round);
    await store.insertReplies(
      probes.map((probe) => {
        const agent = siteOf(probe.destination, round);
        return {
          ...{ ...probe, measurement: id, sender: "west/1", source: "2001:db8:100::1", rttTenthMs: 10 },
          ...{ from: probe.destination, agent, icmp: [3, 3] as const },
          timeMs: Date.now() + this.#play.aheadMs(agent),
        };
      }),
    );
    await this.#probing.end(id, 1);
  }
}
