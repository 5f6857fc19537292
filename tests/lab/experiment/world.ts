/**
 * Everything of the small Internet, running: `vantage stack` with both gateways and a user who is logged in, exchange
 * servers with their policy generators, upstreams, stubs, and at each site the user's client stack and an agent. All
 * processes are those of the product and real daemons; only the VPN is played.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../exchange/until.ts";
import { ExchangeServer } from "./exchange-server.ts";
import { exchanges, managementAddress, sites } from "./plan.ts";
import { Platform } from "./platform.ts";
import { UpstreamRouters } from "./upstream-routers.ts";
import { UserSite } from "./user-site.ts";
import { WorldNet } from "./world-net.ts";

interface WorldParts {
  readonly net: WorldNet;
  readonly folder: string;
  readonly platform: Platform;
  readonly routers: UpstreamRouters;
  readonly exchanges: ReadonlyMap<string, ExchangeServer>;
  readonly sites: ReadonlyMap<string, UserSite>;
}

export class World implements AsyncDisposable {
  readonly parts: WorldParts;
  readonly #stack: AsyncDisposableStack;

  private constructor(parts: WorldParts, stack: AsyncDisposableStack) {
    this.parts = parts;
    this.#stack = stack;
  }

  /** Resolves when every exchange server has its session with the user, and agents are healthy. */
  static async start(): Promise<World> {
    await using undo = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "vantage-world-"));
    undo.defer(() => rmSync(folder, { recursive: true, force: true }));
    // FRR has a user of its own, who must get here.
    chmodSync(folder, 0o711);
    const net = undo.use(await WorldNet.start());
    const within = (node: string) => (command: readonly string[]) => net.at(node, command);
    const [platform, routers] = await Promise.all([
      Platform.start(folder, within("mgmt")).then((one) => undo.use(one)),
      UpstreamRouters.start(net, join(folder, "routers")).then((one) => undo.use(one)),
    ]);
    platform.startCollector(routers.mrtFiles());
    const { serviceKeyFile, stack } = platform;
    const gatewayUrl = stack.peeringUrl;
    const started = await Promise.all(
      exchanges.map(async (exchange) => {
        const place = { folder: join(folder, exchange.node), within: within(exchange.node) };
        const server = await ExchangeServer.start(exchange, { ...place, gatewayUrl, serviceKeyFile });
        return [exchange.name, undo.use(server)] as const;
      }),
    );
    const servers = new Map(started);
    const info = await platform.userInfo();
    for (const { name, site } of exchanges) {
      const { v4, v6 } = sites.find(({ node }) => node === site) ?? sites[0];
      servers.get(name)?.admit(info.user_hash, [v4, v6]);
    }
    const [{ token }, { broker }, enrolmentKey] = [platform, stack, await stack.enrolmentKey()];
    const ofUser = { token, broker, enrolmentKey, asn: String(info.asn) };
    const joined = await Promise.all(
      sites.map(async (site) => {
        const place = { folder: join(folder, site.node), within: within(site.node), ...ofUser };
        return [site.node, undo.use(await UserSite.start(site, place))] as const;
      }),
    );
    const world = new World(
      { net, folder, platform, routers, exchanges: servers, sites: new Map(joined) },
      undo.move(),
    );
    await world.#isWhole();
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  async #isWhole(): Promise<void> {
    const { exchanges: servers, platform } = this.parts;
    for (const [name, { bird }] of servers) {
      await until(`the session of the user at ${name}`, async () =>
        (await bird.sessions()).some(({ name: session, isUp }) => session.startsWith("peering_") && isUp),
      );
    }
    for (const node of ["frr", "gobgp"]) {
      await until(`BMP of ${node}`, async () => {
        const { peers } = await platform.collectorStatus<{ peers: { router: string }[] }>();
        return peers.some(({ router }) => router === managementAddress(node));
      });
    }
    await until("agents", async () => {
      const agents: { state: string }[] = JSON.parse(await platform.vantage("agents", "-o", "json"));
      return agents.length === sites.length && agents.every(({ state }) => state === "healthy");
    });
  }
}
