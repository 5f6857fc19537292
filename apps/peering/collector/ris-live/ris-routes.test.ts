import { afterEach, expect, test } from "bun:test";
import type { Problem } from "../../../../lib/engines/http/problem.ts";
import { type RunningServer, serve } from "../../../../lib/engines/http/serve.ts";
import { noAttributes, type PathAttributes } from "../../../../lib/net/bgp/path-attributes.ts";
import { eventsOfUpdate, type RouteEvent } from "../../../../lib/net/bgp/route-event.ts";
import { address } from "../../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import { watchChangesMax } from "../watch/limits.ts";
import { RouteWatches } from "../watch/route-watches.ts";
import { subscriptionsMax } from "./limits.ts";
import { risRoutes } from "./ris-routes.ts";

const router = address("192.0.2.1");
const peer = { table: "in" as const, address: address("192.0.2.9"), asn: 64_500, routerId: null };
const owned: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of owned.splice(0).reverse()) {
    await one[Symbol.asyncDispose]();
  }
});

const routeOf = (text: string) => {
  const [base = "", length = "0"] = text.split("/");
  return { prefix: prefixOf(address(base), Number(length)), pathId: null };
};

/** What one UPDATE says. */
function update(
  announced: string[],
  withdrawn: string[] = [],
  more: Partial<PathAttributes> = {},
  from = peer,
) {
  const attributes: PathAttributes = {
    ...noAttributes(),
    ...{ asPath: [64_500, 64_501, [64_502, 64_503]], nextHop: address("192.0.2.9"), origin: "IGP", med: 7 },
    ...{ communities: [[64_500, 1]], ...more },
  };
  const lists = { announced: announced.map(routeOf), withdrawn: withdrawn.map(routeOf), endOfTable: null };
  return eventsOfUpdate({ ...lists, attributes }, { timeUs: 1_700_000_000_250_000n, peer: from });
}

interface Received {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function scene() {
  const table = new LiveTable();
  let ids = 0;
  const watches = new RouteWatches(table, () => `watch${ids++}`);
  const app = risRoutes({ table, watches }).onError((error) => (error as Problem).toResponse("/"));
  const server: RunningServer = serve((request, connection) => app.fetch(request, connection), {
    host: "127.0.0.1",
    port: 0,
  });
  owned.push(server);
  const tell = (events: readonly RouteEvent[], raw: Uint8Array | null = null) => {
    for (const one of events) {
      table.apply(router, one, 5n, raw);
    }
  };
  const client = async (...subscriptions: object[]) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/v1/ws/?client=test`);
    const received: Received[] = [];
    let wake = () => {};
    socket.onmessage = ({ data }) => {
      received.push(JSON.parse(String(data)));
      wake();
    };
    const next = async (): Promise<Received> => {
      while (received.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return received.shift() ?? { type: "", data: {} };
    };
    const closed = new Promise<number>((resolve) => {
      socket.onclose = ({ code }) => resolve(code);
    });
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    const say = (type: string, data: unknown = null) => socket.send(JSON.stringify({ type, data }));
    for (const one of subscriptions) {
      say("ris_subscribe", { ...one, socketOptions: { acknowledge: true } });
      expect((await next()).type).toBe("ris_subscribe_ok");
    }
    owned.push({ [Symbol.asyncDispose]: async () => void socket.close() });
    return { socket, say, next, closed };
  };
  return { table, watches, server, tell, client };
}

test("an UPDATE is one message, a session a state; what was subscribed is acknowledged", async () => {
  const { tell, client } = await scene();
  const { say, next } = await client();
  say("ris_subscribe", { host: "192.0.2.1", socketOptions: { includeRaw: true, acknowledge: true } });
  expect(await next()).toEqual({
    type: "ris_subscribe_ok",
    data: { subscription: { host: "192.0.2.1" }, socketOptions: { includeRaw: true, acknowledge: true } },
  });
  tell([{ ...(update(["10.0.0.0/8"])[0] as RouteEvent), kind: "peer-up", route: null }]);
  tell(update(["198.51.100.0/24", "203.0.113.0/24"], ["2001:db8::/32"]));
  const head = { timestamp: 1_700_000_000.25, peer: "192.0.2.9", peer_asn: "64500", host: "192.0.2.1" };
  const id = expect.any(String);
  expect((await next()).data).toEqual({ ...head, id, type: "RIS_PEER_STATE", state: "connected" });
  expect((await next()).data).toEqual({ ...head, id, type: "UPDATE", withdrawals: ["2001:db8::/32"] });
  expect((await next()).data).toEqual({
    ...{ ...head, id, type: "UPDATE", path: [64_500, 64_501, [64_502, 64_503]], community: [[64_500, 1]] },
    ...{ origin: "IGP", med: 7 },
    announcements: [{ next_hop: "192.0.2.9", prefixes: ["198.51.100.0/24", "203.0.113.0/24"] }],
  });
});

test("who wants it gets each BGP message as it came, whatever is done with its bytes afterwards", async () => {
  const { tell, client } = await scene();
  const plain = await client({});
  const { say, next } = await client({});
  const ask = (includeRaw: boolean) =>
    say("ris_subscribe", { type: "UPDATE", socketOptions: { includeRaw, acknowledge: true } });
  ask(true);
  expect((await next()).data.socketOptions).toEqual({ includeRaw: true, acknowledge: true });
  const first = Uint8Array.of(0xff, 0xab, 1);
  tell(update(["198.51.100.0/24"], ["203.0.113.0/24"]), first);
  // A withdrawal alone, as of the same second: it is not one with that before.
  tell(update([], ["10.0.0.0/8"]), Uint8Array.of(2));
  tell(update([], ["10.1.0.0/16"]), Uint8Array.of(3));
  first.fill(0);
  const raws: unknown[] = [];
  for (let i = 0; i < 4; i++) {
    raws.push((await next()).data.raw);
  }
  expect(raws).toEqual(["FFAB01", "FFAB01", "02", "03"]);
  // Another subscription that does not speak of it leaves it; false ends it.
  say("ris_subscribe", { host: "192.0.2.1" });
  tell(update(["198.51.100.0/25"]), Uint8Array.of(4));
  expect((await next()).data.raw).toBe("04");
  ask(false);
  expect((await next()).data.socketOptions).toEqual({ includeRaw: false, acknowledge: true });
  tell(update(["198.51.100.0/26"]), Uint8Array.of(5));
  expect(await next()).not.toHaveProperty("data.raw");
  expect(await plain.next()).not.toHaveProperty("data.raw");
});

test("each filter lets through what the manual says", async () => {
  const { tell, client } = await scene();
  const cases: readonly (readonly [subscription: object, isReceived: boolean])[] = [
    [{}, true],
    [{ prefix: "198.51.0.0/16" }, true],
    [{ prefix: "198.51.0.0/16", moreSpecific: false }, false],
    [{ prefix: ["10.0.0.0/8", "198.51.100.0/24"] }, true],
    [{ prefix: "198.51.100.0/25" }, false],
    [{ prefix: "198.51.100.0/25", lessSpecific: true }, true],
    [{ host: "192.0.2.1", peer: "192.0.2.9", type: "UPDATE" }, true],
    [{ host: "192.0.2.2" }, false],
    [{ host: "rrc00" }, false],
    [{ host: "" }, true],
    [{ peer: "192.0.2.8" }, false],
    [{ type: "RIS_PEER_STATE" }, false],
    [{ require: "announcements" }, true],
    [{ require: "withdrawals" }, false],
    [{ path: "64501" }, true],
    [{ path: 64_501 }, true],
    [{ path: "^64500,64501" }, true],
    [{ path: "^64501" }, false],
    [{ path: "64501,64504$" }, true],
    [{ path: "64501$" }, false],
    [{ path: "64500,64504" }, false],
  ];
  for (const [subscription, isReceived] of cases) {
    const { say, next, socket } = await client(subscription);
    tell(update(["198.51.100.0/24"], [], { asPath: [64_500, 64_501, 64_504] }));
    // The table has passed it on by now: routes come before the reply to the last request.
    await Bun.sleep(5);
    say("ping");
    expect([subscription, (await next()).type]).toEqual([subscription, isReceived ? "ris_message" : "pong"]);
    socket.close();
  }
});

test("what cannot be taken is answered by an error that says why; a subscription ends on demand", async () => {
  const { table, tell, client, server } = await scene();
  const { socket, say, next } = await client({ prefix: "198.51.100.0/24", moreSpecific: true });
  const errorOf = async () => {
    const { type, data } = await next();
    expect(type).toBe("ris_error");
    return data.message;
  };
  socket.send("{");
  expect(await errorOf()).toContain("JSON");
  say("ris_sing");
  expect(await errorOf()).toContain('"ris_sing"');
  say("ris_subscribe", { prefix: "198.51.100.1/24" });
  expect(await errorOf()).toContain("prefix:");
  say("ris_subscribe", { path: "64500 64501" });
  expect(await errorOf()).toContain("path:");
  say("ris_subscribe", { type: "OPEN" });
  expect(await errorOf()).toContain("type:");
  say("request_rrc_list");
  expect(await next()).toEqual({ type: "ris_rrc_list", data: [] as never });
  for (let i = 1; i <= subscriptionsMax; i++) {
    say("ris_subscribe", { host: `other${i}` });
  }
  expect(await errorOf()).toContain(`at most ${subscriptionsMax}`);
  say("ris_unsubscribe", { moreSpecific: true, prefix: "198.51.100.0/24" });
  say("ping");
  expect((await next()).type).toBe("pong");
  tell(update(["198.51.100.0/24"]));
  await Bun.sleep(5);
  say("request_rrc_list");
  expect(await next()).toEqual({ type: "ris_rrc_list", data: ["192.0.2.1"] as never });
  expect(table.counts.paths).toBe(1);
  const plain = await fetch(`${server.url}v1/ws/`);
  expect([plain.status, await plain.json()]).toMatchObject([426, { code: "not_a_websocket" }]);
});

test("tables after the policy are shown of who tells no other; what was missed is said; a stop closes", async () => {
  const { tell, client, watches } = await scene();
  const { next, closed } = await client({});
  tell(update(["198.51.100.0/24"], [], {}, { ...peer, table: "in-post-policy" as never }));
  expect((await next()).type).toBe("ris_message");
  tell(update(["203.0.113.0/24"]));
  tell(update(["203.0.113.0/24"], [], {}, { ...peer, table: "in-post-policy" as never }));
  expect((await next()).data.announcements).toMatchObject([{ prefixes: ["203.0.113.0/24"] }]);
  for (let i = 0; i < watchChangesMax + 3; i++) {
    tell(update([], ["10.0.0.0/8"]));
  }
  expect(await next()).toEqual({ type: "ris_error", data: { message: expect.stringMatching(/^3 changes/) } });
  expect(watches.counts.missed).toBe(3);
  watches.close();
  expect(await closed).toBe(1001);
});

test("who says more than a client needs to say is cut off; all subscriptions at once are not too much", async () => {
  const { client } = await scene();
  const prefix = Array.from({ length: 64 }, (_, i) => `2001:db8:${i.toString(16)}::/48`);
  const { say, next } = await client();
  for (let i = 0; i < subscriptionsMax; i++) {
    say("ris_subscribe", { host: `host${i}`, prefix });
  }
  say("ping");
  expect((await next()).type).toBe("pong");
  const flood = await client();
  for (let i = 0; i < 2000; i++) {
    flood.say("ris_subscribe", { host: "host", prefix });
  }
  expect(await flood.closed).toBe(1008);
  say("ping");
  expect((await next()).type).toBe("pong");
});
