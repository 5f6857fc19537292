/**
 * birdwatcher's routes (github.com/alice-lg/birdwatcher) for each router, out of the live table, so that an Alice-LG
 * can be pointed at the collector: `api = http://COLLECTOR/birdwatcher/ROUTER/`, `type = single_table`.
 *
 * | below /birdwatcher/ROUTER                                | answers with                                          |
 * |----------------------------------------------------------|-------------------------------------------------------|
 * | /status /version /symbols[/tables|/protocols]            | the router, our version, names                        |
 * | /protocols[/bgp|/short]                                  | neighbours, with counts but for `short`               |
 * | /routes/protocol/:p /routes/peer/:ip                     | routes that the router has accepted from a neighbour  |
 * | /routes/filtered/:p /routes/export/:p /routes/noexport/:p | refused; sent; not sent, where the router reports it |
 * | /routes/table/:t[/filtered|/peer/:ip]                    | all of `master4`, `master6` or `master`               |
 * | /routes/count/(protocol|primary|table)/:x                | how many                                              |
 * | /routes/prefix?prefix= /route/net/:net[/mask/:m][/table/:t] | to one prefix; to the longest that holds another    |
 *
 * ROUTER is the router's address. No daemon is asked. There are no pipes: a route server with a table for each
 * neighbour is shown as one table.
 */
import { type Context, Hono } from "hono";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { sharedAnswer } from "../../../../lib/engines/http/shared-answer.ts";
import {
  type Address,
  type Family,
  formatAddress,
  parseAddress,
  sameAddress,
} from "../../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import type { LivePeer } from "../../../../lib/net/rib/live-peers.ts";
import { head, RouteAnswers, refusal, routesBody, shownVersion } from "./answers.ts";
import { countsAgeMs, resourceCharsMax } from "./limits.ts";
import { protocolShape, shortShape, statusShape, tellsSent } from "./protocol-shape.ts";
import { protocolName } from "./route-shape.ts";
import { notSent, type RouterRoute } from "./router-routes.ts";
import { type PeerCounts, RouterView, type Table } from "./router-view.ts";

interface BirdwatcherParts {
  readonly table: Table;
  /** The name that the router gives itself by BMP, unchanged; null = none. */
  readonly nameOf: (router: Address) => string | null;
  /** Gets the error that cut an answer off. */
  readonly failed: (error: unknown) => void;
}

interface Counted {
  readonly madeMs: number;
  readonly counts: ReadonlyMap<LivePeer, PeerCounts>;
}

const at = "/birdwatcher/:router";
const tables: Readonly<Record<string, readonly Family[]>> = { master: [4, 6], master4: [4], master6: [6] };

export function birdwatcherRoutes(parts: BirdwatcherParts): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const scene = new Scene(parts);
  addRouter(routes, scene, parts);
  addNeighborRoutes(routes, scene);
  addTableRoutes(routes, scene);
  addCounts(routes, scene);
  addPrefixRoutes(routes, scene);
  return routes;
}

class Scene {
  readonly answers: RouteAnswers;
  readonly #table: Table;
  /** By router, for all routers that have connected. */
  readonly #counts = new Map<string, () => Promise<Counted>>();

  constructor({ table, failed }: BirdwatcherParts) {
    [this.#table, this.answers] = [table, new RouteAnswers(failed)];
  }

  /** Throws Problem 404. */
  view(c: Context<HttpEnv>): RouterView {
    const given = c.req.param("router") ?? "";
    const view = given.length > resourceCharsMax ? null : RouterView.of(this.#table, given);
    if (view === null) {
      throw refusal(
        404,
        "unknown_router",
        "no router with this address has connected; /status of the collector lists them",
      );
    }
    return view;
  }

  /** Throws Problem 404. */
  neighbor(c: Context<HttpEnv>, view: RouterView): LivePeer {
    const [name, text] = [c.req.param("protocol"), c.req.param("peer")];
    const address = parseAddress(text ?? "");
    const peer =
      name === undefined
        ? address && view.neighborBy((one) => sameAddress(one.address, address))
        : view.neighborNamed(name);
    if (peer === null) {
      throw refusal(404, "unknown_neighbor", "this router has no such neighbour; protocols/short names them");
    }
    return peer;
  }

  /** Those of the parameter `table`, `master` without it. Throws Problem 404. */
  families(c: Context<HttpEnv>): readonly Family[] {
    const name = c.req.param("table") ?? "master";
    const found = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (found === undefined) {
      throw refusal(404, "unknown_table", "there are the tables master4, master6, and master for both");
    }
    return found;
  }

  async counted(view: RouterView): Promise<Counted> {
    const key = formatAddress(view.router);
    const make = async () => ({ madeMs: Date.now(), counts: await view.counts() });
    const shared = this.#counts.get(key) ?? sharedAnswer(countsAgeMs, make);
    this.#counts.set(key, shared);
    return await shared();
  }
}

function addRouter(routes: Hono<HttpEnv>, scene: Scene, { nameOf }: BirdwatcherParts): void {
  const fresh = () => head(Date.now(), Date.now());
  routes.get(`${at}/version`, (c) => c.text(shownVersion));
  routes.get(`${at}/status`, (c) => {
    const view = scene.view(c);
    return c.json({ ...fresh(), status: statusShape(view, nameOf(view.router), new Date()) });
  });
  const protocols = async (c: Context<HttpEnv>) => {
    const view = scene.view(c);
    const askedMs = Date.now();
    const { madeMs, counts } = await scene.counted(view);
    const shown = [...counts].map(([peer, one]) => [
      protocolName(peer.address),
      protocolShape(view, peer, one),
    ]);
    return c.json({ ...head(madeMs, askedMs), protocols: Object.fromEntries(shown) });
  };
  routes.get(`${at}/protocols`, protocols);
  routes.get(`${at}/protocols/bgp`, protocols);
  routes.get(`${at}/protocols/short`, (c) => {
    const view = scene.view(c);
    const shown = view.neighbors().map((peer) => [protocolName(peer.address), shortShape(view, peer)]);
    return c.json({ ...fresh(), protocols: Object.fromEntries(shown) });
  });
  const names = (c: Context<HttpEnv>) => ({
    "routing table": Object.keys(tables),
    protocol: scene
      .view(c)
      .neighbors()
      .map(({ address }) => protocolName(address)),
  });
  routes.get(`${at}/symbols`, (c) => c.json({ ...fresh(), symbols: names(c) }));
  routes.get(`${at}/symbols/tables`, (c) => c.json({ ...fresh(), symbols: names(c)["routing table"] }));
  routes.get(`${at}/symbols/protocols`, (c) => c.json({ ...fresh(), symbols: names(c).protocol }));
}

const ofPeer = (all: readonly RouterRoute[], peer: LivePeer) => all.filter(({ path }) => path.peer === peer);

function addNeighborRoutes(routes: Hono<HttpEnv>, scene: Scene): void {
  const imported = async (c: Context<HttpEnv>) => {
    const view = scene.view(c);
    const [peer, families] = [scene.neighbor(c, view), scene.families(c)];
    return await scene.answers.walked(c, view, (all) =>
      ofPeer(all.imported, peer).filter(({ path }) => families.includes(path.prefix.family)),
    );
  };
  routes.get(`${at}/routes/protocol/:protocol`, imported);
  routes.get(`${at}/routes/peer/:peer`, imported);
  routes.get(`${at}/routes/table/:table/peer/:peer`, imported);
  routes.get(`${at}/routes/filtered/:protocol`, async (c) => {
    const view = scene.view(c);
    const peer = scene.neighbor(c, view);
    return await scene.answers.walked(c, view, ({ filtered }) => ofPeer(filtered, peer));
  });
  const sentTo = (c: Context<HttpEnv>, view: RouterView) => {
    const peer = scene.neighbor(c, view);
    if (!tellsSent(peer)) {
      const message = "this router does not report its Adj-RIB-Out (RFC 8671)";
      throw refusal(404, "not_told", message);
    }
    return peer;
  };
  routes.get(`${at}/routes/export/:protocol`, async (c) => {
    const view = scene.view(c);
    const peer = sentTo(c, view);
    return await scene.answers.walked(c, view, ({ sent }) => ofPeer(sent, peer));
  });
  routes.get(`${at}/routes/noexport/:protocol`, async (c) => {
    const view = scene.view(c);
    const peer = sentTo(c, view);
    return await scene.answers.walked(c, view, (all) => notSent(all, peer));
  });
}

function addTableRoutes(routes: Hono<HttpEnv>, scene: Scene): void {
  for (const [path, kind] of [
    [`${at}/routes/table/:table`, "imported"],
    [`${at}/routes/table/:table/filtered`, "filtered"],
  ] as const) {
    routes.get(path, async (c) => {
      const view = scene.view(c);
      const families = scene.families(c);
      return await scene.answers.walked(c, view, (all) =>
        all[kind].filter(({ path: { prefix } }) => families.includes(prefix.family)),
      );
    });
  }
  for (const path of [`${at}/routes/pipe/filtered`, `${at}/routes/pipe/filtered/count`]) {
    routes.get(path, () => {
      throw refusal(404, "no_pipes", "routers are shown as one table: in Alice, type = single_table");
    });
  }
}

function addCounts(routes: Hono<HttpEnv>, scene: Scene): void {
  const counted = (key: "imported" | "preferred", isOne: boolean) => async (c: Context<HttpEnv>) => {
    const view = scene.view(c);
    const families = scene.families(c);
    const peer = isOne ? scene.neighbor(c, view) : null;
    const askedMs = Date.now();
    const { madeMs, counts } = await scene.counted(view);
    const wanted = [...counts].filter(([one]) => peer === null || one === peer);
    const sums = wanted.map(([, one]) => families.reduce((sum, family) => sum + one[family][key], 0));
    return c.json({ ...head(madeMs, askedMs), routes: sums.reduce((sum, one) => sum + one, 0) });
  };
  routes.get(`${at}/routes/count/protocol/:protocol`, counted("imported", true));
  routes.get(`${at}/routes/count/primary/:protocol`, counted("preferred", true));
  routes.get(`${at}/routes/count/table/:table`, counted("imported", false));
}

function addPrefixRoutes(routes: Hono<HttpEnv>, scene: Scene): void {
  const prefixIn = (text: string) => {
    const prefix = text.length > resourceCharsMax ? null : parsePrefix(text);
    if (prefix === null) {
      throw refusal(
        400,
        "invalid_prefix",
        "this is not a prefix (host bits zero) or an address, as 2001:db8:51::/48",
      );
    }
    return prefix;
  };
  routes.get(`${at}/routes/prefix`, (c) => {
    return c.json(routesBody(scene.view(c).exact(prefixIn(c.req.query("prefix") ?? "")).imported));
  });
  const net = (c: Context<HttpEnv>) => {
    const view = scene.view(c);
    const families = scene.families(c);
    const mask = c.req.param("mask");
    const prefix = prefixIn((c.req.param("net") ?? "") + (mask === undefined ? "" : `/${mask}`));
    const found = families.includes(prefix.family) ? view.longest(prefix) : null;
    return c.json(routesBody(found?.imported ?? []));
  };
  for (const more of ["", "/table/:table", "/mask/:mask", "/mask/:mask/table/:table"]) {
    routes.get(`${at}/route/net/:net${more}`, net);
  }
}
