/** Both gateways with databases and a column store, a user with leases, and what is played around them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSweep } from "../../../apps/peering/gateway/sweep.ts";
import type { ChangeBudget } from "../../../lib/base/api/change-budget.ts";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { rowsOf } from "../../../lib/engines/store/clickhouse/rows.ts";
import { openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { startEngine } from "../../postgres/engines.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { PeeringHome } from "../peering-gateway/peering-home.ts";
import { addAgent } from "../probing-gateway/gateway-home.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";
import { type Play, PlayedAgents, targets } from "./played-agents.ts";

const user = "anna";

/** How far the played client stack's clock is ahead, which has compared it so well with the gateway's. */
export const stackAheadMs = 3000;
const stackClock = { offset_ms: -stackAheadMs, within_ms: 5 };

interface KeptExperiment {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly state: string;
  readonly reason: string | null;
  readonly grant_id: string | null;
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

  /** `collectors`: addresses that its gateway knows. */
  static async start(collectors: readonly string[] = []): Promise<ExperimentHome> {
    await using undo = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "vantage-experiment-"));
    undo.defer(() => rmSync(folder, { recursive: true, force: true }));
    const engine = undo.use(await startEngine());
    const address = await engine.freshDatabase();
    const database = undo.use(await openDatabase(address, { applicationName: "test" }));
    const leases = '{ pool: ["2001:db8:100::/40"], per_user_max: 12 }';
    const yaml = "announcements: { prefix_minutes: 0, per_hour_max: 100 }";
    const peering = undo.use(await PeeringHome.start({ database, leases, yaml }));
    undo.use(startSweep(peering.services));
    const other = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch: (request) => peering.app.fetch(request),
    });
    undo.defer(() => other.stop(true));
    const peeringUrl = `http://127.0.0.1:${other.port}`;
    const probing = undo.use(
      await ResultsHome.start(engine, `console: { collectors: [${collectors.join()}] }`, peeringUrl),
    );
    const gateway = undo.use(probing.listen());
    const variables = {
      PATH: process.env.PATH,
      VANTAGE_GATEWAY: gateway.url,
      VANTAGE_PEERING_GATEWAY: peeringUrl,
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
  experimentFile(name: string, probe = "catchment: { after: 1, times: 2, every: 4 }") {
    const steps = `
  - { at: 0, announce: { sites: [ixp-1], prepend: 1 } }
  - { at: 0, announce: { sites: [ixp-2], prepend: 2 }, probe: { ${probe} } }`;
    return this.#file(name, `steps:${steps}`);
  }

  /** A file with an aim at the same sites. */
  aimFile(name: string, ...goals: string[]) {
    const probing = ", sites: { west: ixp-1, east: ixp-2 }";
    const aim = `aim: { sites: [ixp-1, ixp-2], goals: ${JSON.stringify(goals)}, wait: 1s, changes: 5 }`;
    return this.#file(name, aim, probing);
  }

  async #file(name: string, plan: string, probing = "") {
    const prefix = await this.#peering.lease(user, 2);
    for (const agent of ["west", "east"]) {
      await addAgent(this.probing.gateway, agent, { prefixes: ["2001:db8:1234::/48", prefix] });
    }
    const path = join(this.#folder, `${name}.yaml`);
    writeFileSync(
      path,
      `experiment: ${name}
prefix: "${prefix}"
probe: { agents: [west, east], targets: ["${targets.join('", "')}"], protocol: udp${probing} }
${plan}
`,
    );
    return { path, prefix, name };
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

  /** The newest one of the name, as the gateway lists it. */
  async kept(name: string): Promise<KeptExperiment> {
    const rows: KeptExperiment[] = JSON.parse(await this.asked("/api/experiments"));
    const row = rows.find((one) => one.name === name);
    if (row === undefined) {
      throw new Error(`The gateway has no experiment ${name}`);
    }
    return row;
  }

  /** Its journal, line by line; empty before it has begun. */
  async journal(name: string): Promise<string[]> {
    const rows: KeptExperiment[] = JSON.parse(await this.asked("/api/experiments"));
    const id = rows.find((one) => one.name === name)?.id;
    return id === undefined ? [] : (await this.asked(`/api/experiments/${id}/journal`)).trimEnd().split("\n");
  }

  /** Where its databases and stores are, for gateways beside it. */
  get places() {
    const { gateway, store } = this.probing;
    const { config } = gateway.services;
    return {
      /** With its broker. */
      folder: gateway.folder,
      store: store.address,
      database: config.database.address,
      peering: this.#variables.VANTAGE_PEERING_GATEWAY ?? "",
      /** That of its gateway. */
      secretKey: readFileSync(join(config.stateDir, "secret.key"), "utf8").trim(),
    };
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

  /** As the user, at the peering gateway. */
  async revoke(grantId: string): Promise<void> {
    await this.#peering.ask(user, "DELETE", `/api/grants/${grantId}`);
  }

  /** The secret of a new grant for the prefix, which may all that experiments need. */
  async grantSecret(prefix: string, given: object = {}): Promise<string> {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const order = {
      name: "test",
      prefixes: [prefix],
      kinds: ["prepend"],
      changes_max: 20,
      expires_at,
      ...given,
    };
    return (await this.#peering.ask(user, "POST", "/api/grants", order)).body.secret;
  }

  /** By HTTP, as another user maybe; two announcements and a catchment: the status, and what is said. */
  async start(who: string, { grant, prefix }: { readonly grant: string; readonly prefix: string }) {
    const probe = { agents: ["west:[2001:db8:1234::1]"], targets, protocol: "udp" };
    const steps = [
      { at: 0, announce: { sites: ["ixp-1"], prepend: 1 } },
      { at: 1, announce: { sites: ["ixp-1"], prepend: 2 } },
    ];
    const experiment = { experiment: "by hand", prefix, probe, steps };
    const body = await this.probing.gateway.json(who, "/api/experiments", {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ experiment, grant }),
    });
    return [body.status_code, body.message ?? ""];
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

  /** As the client stack: all that is requested has been done, and the exchange has taken it. */
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
